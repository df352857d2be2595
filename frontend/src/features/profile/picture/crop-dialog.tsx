import { Button } from '@mantine/core';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Image } from '../../../api/types.js';
import { imageFailure } from '../../../server/images/image-failure.js';
import { uploadImage } from '../../../server/images/upload-image.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { useProfileTexts } from '../texts.js';
import { largest, MOST_ZOOM, RECOMMENDED_SIDE, sideOf, zoomed } from './crop.js';
import type { Crop, Size } from './crop.js';
import { drawCrop } from './draw-crop.js';
import classes from './picture.module.css';
import { useCropGestures } from './use-crop-gestures.js';

interface CropDialogProps {
  file: File;
  /** The square is uploaded, and nobody's yet. */
  onUploaded: (image: Image) => void;
  /** The browser cannot read the file. */
  onBroken: () => void;
  onClose: () => void;
}

/** Cuts a square out of a chosen picture, in the round mask that it is shown in, and uploads it (UI-67). */
export function CropDialog({ file, onUploaded, onBroken, onClose }: CropDialogProps) {
  const texts = useProfileTexts();
  const { picture: own } = texts.profile;
  const image = useRef<HTMLImageElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const [size, setSize] = useState<Size>();
  const [crop, setCrop] = useState<Crop>({ x: 0, y: 0, zoom: 1 });
  const [failure, setFailure] = useState<string>();
  const [upload, setUpload] = useState<AbortController>();
  const gestures = useCropGestures(frame, size, setCrop);
  useLayoutEffect(() => {
    const address = URL.createObjectURL(file);
    image.current!.src = address;
    return () => URL.revokeObjectURL(address);
  }, [file]);
  // Who leaves sends no more.
  useEffect(() => () => upload?.abort(), [upload]);

  const onLoad = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
    setSize({ width, height });
    setCrop(largest({ width, height }));
  };
  const use = async () => {
    if (!size) return;
    const leave = new AbortController();
    setUpload(leave);
    setFailure(undefined);
    try {
      const jpeg = await drawCrop(image.current!, crop);
      const prepared = { ...jpeg, originalName: file.name, originalSize: file.size };
      onUploaded(await uploadImage(prepared, 'avatar', leave.signal));
    } catch (error) {
      if (leave.signal.aborted) return;
      const text = imageFailure(error, texts);
      // Nobody is there any more to use it.
      if (text === undefined) return onClose();
      setFailure(text);
      setUpload(undefined);
    }
  };

  const side = size && sideOf(size, crop);
  return (
    <Dialog title={own.crop} onClose={onClose}>
      <div
        ref={frame}
        className={classes.frame}
        role="application"
        aria-label={own.area}
        aria-describedby={hintId}
        tabIndex={0}
        data-autofocus
        {...gestures}
      >
        <img
          ref={image}
          className={classes.source}
          style={size && side ? placed(size, crop, side) : { visibility: 'hidden' }}
          alt=""
          draggable={false}
          onLoad={(event) => onLoad(event.currentTarget)}
          onError={onBroken}
        />
        <span className={classes.mask} aria-hidden />
      </div>
      <p id={hintId} className={classes.hint}>
        {own.areaHint}
      </p>
      <label className={classes.zoom}>
        {own.zoom}
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.01}
          value={crop.zoom}
          onChange={({ currentTarget: { valueAsNumber } }) =>
            size && setCrop((before) => zoomed(size, before, valueAsNumber))
          }
        />
      </label>
      <p role="status" className={classes.hint}>
        {side !== undefined && Math.round(side) < RECOMMENDED_SIDE && own.small}
      </p>
      {failure && (
        <p role="alert" className={`field-error ${classes.problem}`}>
          {failure}
        </p>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton
          label={own.use}
          busyLabel={own.uploading}
          busy={upload !== undefined}
          idle={!size}
          onClick={() => void use()}
        />
      </DialogActions>
    </Dialog>
  );
}

/** In parts of the frame and of the picture, so that both may have any size on the screen. */
const placed = ({ width, height }: Size, { x, y }: Crop, side: number) => ({
  width: `${(width / side) * 100}%`,
  height: `${(height / side) * 100}%`,
  transform: `translate(${((side / 2 - x) / width) * 100}%, ${((side / 2 - y) / height) * 100}%)`,
});
