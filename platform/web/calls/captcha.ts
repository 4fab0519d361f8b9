import { create } from 'zustand'
import { createApiError, isApiError } from './api-error.ts'
import { translate } from '../i18n.ts'
import { webTexts } from '../texts.ts'

/** The act that a proof is for; a proof made for one scene serves no other (features/risk/contract.ts). */
export type CaptchaScene = 'login' | 'register' | 'reset' | 'bind' | 'security'

/** `CAPTCHA_REQUIRED` (platform/shared/errors.ts). */
const REFUSED = 2500
/** Proofs in a row that the server may refuse: a person who passed so often is not what is wrong. */
const MAX_PROOF_REFUSALS = 5

/** How the call that a proof was made for ended: `good` hides the captcha, `refused` asks again, `failed` hides and renews it. */
export type CaptchaEnd = 'good' | 'refused' | 'failed'

export interface CaptchaRequest {
  readonly scene: CaptchaScene
  /** Proofs in a row that the server refused: the captcha says so and does not close in between. */
  readonly refusals: number
  /** True where the end of the call is reported; else the captcha closes as soon as it has answered. */
  readonly watched: boolean
  readonly turn: number
  /** The element that focus returns to. */
  readonly from: Element | null
  readonly answer: (param: string | undefined) => void
}

interface State {
  /** Stays true, so that the host is mounted once. */
  readonly used: boolean
  /** The scene to make ready for, once asked to. */
  readonly awaited: CaptchaScene | undefined
  readonly request: CaptchaRequest | undefined
  readonly ended: { readonly end: CaptchaEnd; readonly turn: number } | undefined
}

/** Read by the host (features/risk/web); pages use the functions below. */
export const useCaptchaStore = create<State>(() => ({ used: false, awaited: undefined, request: undefined, ended: undefined }))
let turn = 0
let refusals = 0

/**
 * Asks for a proof that a person is there. Resolves with what travels as `captchaVerifyParam`, or undefined when the
 * person closed it. Mostly nothing is shown. A proof is good for one call. `withCaptcha` does the rest, too.
 */
export function solveCaptcha(scene: CaptchaScene, watched = false): Promise<string | undefined> {
  return new Promise((resolve) => {
    useCaptchaStore.getState().request?.answer(undefined)
    const mine = ++turn
    const answer = (param: string | undefined) => {
      useCaptchaStore.setState(({ request }) => (request?.turn === mine ? { request: undefined } : {}))
      resolve(param)
    }
    useCaptchaStore.setState({ used: true, request: { scene, refusals, watched, turn: mine, from: document.activeElement, answer }, ended: undefined })
    refusals = 0
  })
}

/** Makes a captcha ready before it is asked for: when a form opens, never on the landing page. */
export function preloadCaptcha(scene: CaptchaScene = 'login'): void {
  useCaptchaStore.setState({ used: true, awaited: scene })
}

/** The server refused the proof (2500): the captcha stays open, and the next `solveCaptcha` says so with a new challenge. */
export function reportCaptchaRefused(before = 0): void {
  refusals = before + 1
  publishEnd('refused')
}

function publishEnd(end: CaptchaEnd): void {
  useCaptchaStore.setState({ ended: { end, turn } })
}

/**
 * A call with its captcha: solves, calls, asks again while the server refuses the proof, and hides the captcha when the
 * call has ended. Undefined when the person closed it; other refusals of the call are thrown, and so is the fifth of the proof.
 */
export async function withCaptcha<T>(scene: CaptchaScene, call: (captchaVerifyParam: string) => Promise<T>): Promise<T | undefined> {
  for (let refused = 0; ; refused++) {
    const param = await solveCaptcha(scene, true)
    if (param === undefined) return undefined
    try {
      const reply = await call(param)
      publishEnd('good')
      return reply
    } catch (error) {
      if (!isApiError(error) || error.code !== REFUSED) {
        publishEnd('failed')
        throw error
      }
      if (refused + 1 >= MAX_PROOF_REFUSALS) {
        publishEnd('failed')
        throw createApiError(translate(webTexts, 'captchaGaveUp'), { code: REFUSED, errorName: error.errorName, requestId: error.requestId })
      }
      reportCaptchaRefused(refused)
    }
  }
}
