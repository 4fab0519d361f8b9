import type { Boot } from './port.ts'

/** product.md 1.9. */
const SCRIPT_MS = 120_000

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

interface Polling {
  readonly everyMs?: number
  readonly forMs?: number
}

/** Polls until something is there; by default every 200 ms, for 10 s at most (product.md 1.9). Rejects with `problem` afterwards. */
export async function waitFor(there: () => boolean, problem: string, { everyMs = 200, forMs = 10_000 }: Polling = {}): Promise<void> {
  for (let waited = 0; !there(); waited += everyMs) {
    if (waited >= forMs) throw new Error(problem)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Gives the vendor's button our words. It may be drawn late or drawn anew, so this is tried several times; without it the vendor's stand. */
export async function sayOurs(selector: string, { texts, times }: Pick<Boot, 'texts' | 'times'>): Promise<void> {
  for (let tried = 0; tried < times.textTries; tried++) {
    for (const button of document.querySelectorAll(selector)) {
      button.setAttribute('aria-label', texts.launcher)
      button.setAttribute('title', texts.launcher)
    }
    await new Promise((resolve) => setTimeout(resolve, times.textMs))
  }
}
