#!/bin/sh
# In place of ffprobe: it takes so long that its worker is killed meanwhile.
sleep 30
