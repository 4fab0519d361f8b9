import type { BrowserContext } from 'playwright-core'

/** Stores a session as the pages do (platform/web/state/storage.ts), once: a later sign-out is not undone. */
export async function seedSession(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript((value) => {
    // a sandboxed frame has no storage
    if ((globalThis as { origin?: string }).origin === 'null' || localStorage.getItem('test-session')) return
    localStorage.setItem('test-session', '1')
    const text = encodeURIComponent(JSON.stringify({ v: value, e: Date.now() + 604_800_000 }))
    const pad = 'mingxi'
    const mixed = Array.from(text, (letter, at) => String.fromCharCode(letter.charCodeAt(0) ^ pad.charCodeAt(at % pad.length))).join('')
    localStorage.setItem('mx.session', btoa(mixed))
  }, token)
}
