/** Reports the start's progress to the parent process, if it listens; scripts/waiting.mjs prints and shows it. */
export function reportStartProgress(en: string, zh: string): void {
  if (process.connected) process.send?.({ doing: { en, zh } })
}

/** Takes over the port from the placeholder page (scripts/waiting.mjs); resolves when it is free, at once if there is no placeholder. */
export async function takeOverPort(): Promise<void> {
  if (!process.connected) return
  const given = new Promise<void>((done) => {
    process.once('message', () => done()).once('disconnect', () => done())
  })
  process.send?.({ wantsPort: true })
  await given
  if (process.connected) process.disconnect?.()
}
