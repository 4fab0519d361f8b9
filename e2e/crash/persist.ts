import { PATIENCE_MS } from '#platform/testing/patience.ts'
import type { TestServer } from '#platform/testing/server.ts'

export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Repeats a step until it gets a response; restarts a server that died meanwhile. `before`: runs before each retry. */
export async function persistThroughCrashes<T>(
  server: TestServer,
  step: () => Promise<T | undefined>,
  { what = 'a step', before }: { readonly what?: string; readonly before?: () => Promise<unknown> } = {},
): Promise<T> {
  for (const last = performance.now() + 2 * PATIENCE_MS; performance.now() < last;) {
    try {
      const done = await step()
      if (done !== undefined) return done
    } catch {
      // the server died during the request
    }
    if (!isProcessAlive(server.pid())) await server.restart()
    await before?.()
    await new Promise((done) => setTimeout(done, 40))
  }
  throw new Error(`waited in vain for ${what}:\n${server.output().slice(-2000)}`)
}
