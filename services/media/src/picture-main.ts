import { answerPictures } from './picture/answer-pictures.js';

answerPictures();
