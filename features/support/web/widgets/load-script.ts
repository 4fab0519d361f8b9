import type { Boot } from './port.ts'

/** product.md 1.9. */
const SCRIPT_MS = 120_000

/** Loads a script. One that fails or times out is removed, so that the next attempt loads it again. */
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

/** Polls until a condition holds; by default every 200 ms, for 10 s at most (product.md 1.9). Rejects with `problem` afterwards. */
export async function pollUntil(there: () => boolean, problem: string, { everyMs = 200, forMs = 10_000 }: Polling = {}): Promise<void> {
  for (let waited = 0; !there(); waited += everyMs) {
    if (waited >= forMs) throw new Error(problem)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/**
 * Sets our labels on the vendor's button. It may be rendered late or re-rendered,
 * so this is tried several times; otherwise the vendor's labels remain.
 */
export async function setLauncherLabels(selector: string, { texts, times }: Pick<Boot, 'texts' | 'times'>): Promise<void> {
  for (let tried = 0; tried < times.textTries; tried++) {
    for (const button of document.querySelectorAll(selector)) {
      button.setAttribute('aria-label', texts.launcher)
      button.setAttribute('title', texts.launcher)
    }
    await new Promise((resolve) => setTimeout(resolve, times.textMs))
  }
}
