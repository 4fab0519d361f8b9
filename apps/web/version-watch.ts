const EVERY_MS = 7_200_000

/** A page that stays open for hours meets a new server: it reloads when /version.json names another build. */
export function watchVersion(): void {
  const mine = import.meta.env['VITE_VERSION'] as string | undefined
  if (!mine || mine === 'dev') return
  setInterval(() => {
    if (document.visibilityState === 'visible') void check(mine)
  }, EVERY_MS)
}

async function check(mine: string): Promise<void> {
  try {
    const reply = await fetch(`/version.json?t=${Date.now()}`, { cache: 'no-store' })
    const { version } = (await reply.json()) as { version?: string }
    if (version && version !== mine && !document.querySelector('[role="dialog"]')) location.reload()
  } catch {
    // Ignored: the next check comes in two hours.
  }
}
