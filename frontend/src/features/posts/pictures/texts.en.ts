/** The large view of pictures; loaded with it. */
export const en = {
  lightbox: {
    title: (name: string) => `Photos by ${name}`,
    position: (n: number, of: number) => `Photo ${n} of ${of}`,
    previous: 'Previous photo',
    next: 'Next photo',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
  },
} as const;
