/**
 * A program that takes pictures as media's own does (src/picture/answer-pictures.ts), and does what stands behind the first three bytes
 * of each: `die` before it answers, `hang`, answer that it uses much memory (`grow`), or else answer. The blurhash tells its environment.
 */
process.on('disconnect', () => process.exit());
process.on('message', ({ bytes }) => {
  process.send({ kind: 'begun' });
  const act = bytes.toString('latin1', 3);
  if (act === 'die') process.kill(process.pid, 'SIGKILL');
  else if (act !== 'hang') {
    const picture = { width: 1, height: 1, blurhash: Object.keys(process.env).join(), files: [] };
    process.send({ kind: 'done', picture, cpuMs: 1, memoryBytes: act === 'grow' ? 1e9 : 1 });
  }
});
