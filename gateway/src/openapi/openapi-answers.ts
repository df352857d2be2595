import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { docsPage } from './docs-page.js';

/** The document in the two forms it is served in; it exists only after all controllers do. */
@Injectable()
export class OpenApiAnswers {
  json = '';
  page = '';

  publish(document: OpenAPIObject): void {
    this.json = JSON.stringify(document);
    this.page = docsPage(document);
  }
}
