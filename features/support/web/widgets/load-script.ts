/** product.md 1.9. */
const SCRIPT_MS = 120_000
const LOOK_MS = 200
const LOOK_FOR_MS = 10_000

/** Adds a script once it is needed. One that fails or is too late is taken out again, so that another try loads anew. */
export function loadScript(src: string, limitMs = SCRIPT_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const end = (problem?: string) => {
      clearTimeout(timer)
      if (!problem) return resolve()
      script.remove()
      reject(new Error(problem))
    }
    const timer = setTimeout(() => end('script timed out'), limitMs)
    script.src = src
    script.async = true
    script.addEventListener('load', () => end())
    script.addEventListener('error', () => end('script failed'))
    document.head.append(script)
  })
}

/** Looks every 200 ms, for 10 s at most, until something is there. */
export async function waitFor(there: () => boolean, problem: string): Promise<void> {
  for (let waited = 0; !there(); waited += LOOK_MS) {
    if (waited >= LOOK_FOR_MS) throw new Error(problem)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
