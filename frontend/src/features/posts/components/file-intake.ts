import type { ClipboardEvent, DragEvent } from 'react';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** Files that are dropped on an element or pasted in it go to `add`; while they are above it, it has `data-dropping`. */
export const fileIntake = (add: (files: readonly File[]) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.currentTarget.toggleAttribute('data-dropping', true);
  },
  onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) currentTarget.removeAttribute('data-dropping');
  },
  onDrop: (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.currentTarget.removeAttribute('data-dropping');
    add([...event.dataTransfer.files]);
  },
  onPaste: (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData;
    // A copied table is a text, too, of which the picture is only another form.
    if (files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return;
    event.preventDefault();
    add([...files]);
  },
});
