import type { CaptchaScene } from '#platform/web/calls/captcha.ts'
import type { CaptchaChallenge } from '../contract.ts'
import { riskApi } from './risk-api.ts'
import solverUrl from 'altcha/workers/pbkdf2?url'

interface Solution {
  readonly counter: number
  readonly derivedKey: string
}
type Challenge = { readonly parameters: Readonly<Record<string, unknown>>; readonly signature: string }

/** Maximum number of workers: more would gain little and occupy all cores of a small phone. */
const WORKERS = Math.min(2, navigator.hardwareConcurrency || 1)
const LIMIT_MS = 90_000

/** True if this browser supports the challenge: Web Crypto exists on https and localhost only. */
function canSolve(): boolean {
  return typeof Worker !== 'undefined' && typeof crypto !== 'undefined' && crypto.subtle !== undefined
}

/** Solves the challenge in workers, which keeps the page responsive. Resolves to `captchaVerifyParam`; rejects if no solution was found. */
function solveAltcha(challenge: Challenge): Promise<string> {
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

export type CaptchaWay = 'altcha' | 'slide'
interface PreparedChallenge {
  readonly challenge: CaptchaChallenge
  /** Pending solution of the hidden challenge. */
  readonly solved: Promise<string> | undefined
  readonly goodUntil: number
}

/** Timeout after which the page reports a network problem. */
const LOAD_MS = 8000
/** Margin for sending a proof before it expires. */
const MARGIN_S = 15

const prepared = new Map<CaptchaScene, Promise<PreparedChallenge>>()

/** Prefetches a scene's challenge and begins to solve it. Errors surface when it is needed. */
export function prepareChallenge(scene: CaptchaScene): void {
  if (prepared.has(scene)) return
  const ready = loadChallenge(scene)
  prepared.set(scene, ready)
  ready.catch(() => prepared.delete(scene))
}

/** Returns the prepared challenge once, if it is still valid; else a new one. `kind` requests an alternative. */
export async function takePreparedChallenge(scene: CaptchaScene, kind?: CaptchaWay): Promise<PreparedChallenge> {
  const ahead = prepared.get(scene)
  prepared.delete(scene)
  if (ahead && !kind) {
    const ready = await ahead.catch(() => undefined)
    if (ready && ready.goodUntil > Date.now()) return ready
  }
  return loadChallenge(scene, kind)
}

export function forgetChallenge(scene: CaptchaScene): void {
  prepared.delete(scene)
}

async function loadChallenge(scene: CaptchaScene, kind?: CaptchaWay): Promise<PreparedChallenge> {
  const { challenge } = await riskApi.captchaChallenge({ scene, kind }, { timeoutMs: LOAD_MS })
  if (challenge.kind === 'altcha' && !canSolve()) return loadChallenge(scene, 'slide')
  const solved = challenge.kind === 'altcha' ? solveAltcha(challenge.challenge) : undefined
  solved?.catch(() => {})
  const seconds = 'expiresInSeconds' in challenge ? challenge.expiresInSeconds - MARGIN_S : 600
  return { challenge, solved, goodUntil: Date.now() + seconds * 1000 }
}
