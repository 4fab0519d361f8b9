/** What whoever started this process, if anybody listens, prints and shows meanwhile (scripts/waiting.mjs). */
export function tellDoing(en: string, zh: string): void {
  if (process.connected) process.send?.({ doing: { en, zh } })
}

/** Asks for the port on which a page has stood in for this server; resolves when it is free. At once where nobody stood in. */
export async function takeOverPort(): Promise<void> {
  if (!process.connected) return
  const given = new Promise<void>((done) => {
    process.once('message', () => done()).once('disconnect', () => done())
  })
  process.send?.({ wantsPort: true })
  await given
  if (process.connected) process.disconnect?.()
}
