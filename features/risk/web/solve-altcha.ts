import solverUrl from 'altcha/workers/pbkdf2?url'

interface Solution {
  readonly counter: number
  readonly derivedKey: string
}
type Challenge = { readonly parameters: Readonly<Record<string, unknown>>; readonly signature: string }

/** More would gain little and take the whole of a small phone. */
const WORKERS = Math.min(2, navigator.hardwareConcurrency || 1)
const LIMIT_MS = 90_000

/** True if this browser supports the challenge: Web Crypto exists on https and localhost only. */
export function canSolve(): boolean {
  return typeof Worker !== 'undefined' && typeof crypto !== 'undefined' && crypto.subtle !== undefined
}

/** Solves the challenge in workers, which keeps the page responsive. Resolves to `captchaVerifyParam`; rejects if no solution was found. */
export function solveAltcha(challenge: Challenge): Promise<string> {
  const workers: Worker[] = []
  return new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error('the hidden challenge was not solved'))
    for (let start = 0; start < WORKERS; start++) {
      const worker = new Worker(solverUrl)
      workers.push(worker)
      worker.addEventListener('error', fail)
      worker.addEventListener('message', ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
        if (!data || 'error' in data) return fail()
        resolve(`altcha.${base64url(JSON.stringify({ challenge, solution: { counter: data.counter, derivedKey: data.derivedKey } }))}`)
      })
      worker.postMessage({ type: 'work', challenge, counterStart: start, counterStep: WORKERS, timeout: LIMIT_MS })
    }
  }).finally(() => {
    for (const worker of workers) worker.terminate()
  })
}

function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
