import { create } from 'zustand'
import { createApiError, isApiError } from './api-error.ts'
import { translate } from '../i18n.ts'
import { webTexts } from '../texts.ts'

/** The action that a proof is for; a proof for one scene is invalid for any other (features/risk/contract.ts). */
export type CaptchaScene = 'login' | 'register' | 'reset' | 'bind' | 'security'

/** `CAPTCHA_REQUIRED` (platform/shared/errors.ts). */
const REFUSED = 2500
/** Maximum number of consecutive proofs that the server may refuse: after that, the problem is not the user. */
const MAX_PROOF_REFUSALS = 5

/** Outcome of the call that a proof was made for: `good` hides the captcha, `refused` asks again, `failed` hides and renews it. */
export type CaptchaEnd = 'good' | 'refused' | 'failed'

export interface CaptchaRequest {
  readonly scene: CaptchaScene
  /** Number of consecutive refused proofs: the captcha shows it and stays open in between. */
  readonly refusals: number
  /** True if the call's outcome will be reported; otherwise the captcha closes once solved. */
  readonly watched: boolean
  readonly turn: number
  /** The element that focus returns to. */
  readonly from: Element | null
  readonly answer: (param: string | undefined) => void
}

interface State {
  /** Stays true, so that the host is mounted once. */
  readonly used: boolean
  /** The scene to preload, once requested. */
  readonly awaited: CaptchaScene | undefined
  readonly request: CaptchaRequest | undefined
  readonly ended: { readonly end: CaptchaEnd; readonly turn: number } | undefined
}

/** Read by the host (features/risk/web); pages use the functions below. */
export const useCaptchaStore = create<State>(() => ({ used: false, awaited: undefined, request: undefined, ended: undefined }))
let turn = 0
let refusals = 0

/**
 * Requests a proof that the user is a person. Resolves with the value of `captchaVerifyParam`, or undefined if the user closed it. Usually
 * shows nothing. A proof is valid for one call. `withCaptcha` also handles the call.
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

/** Preloads a captcha when a form opens; never on the landing page. */
export function preloadCaptcha(scene: CaptchaScene = 'login'): void {
  useCaptchaStore.setState({ used: true, awaited: scene })
}

/** Reports that the server refused the proof (2500): the captcha stays open, and the next `solveCaptcha` shows it with a new challenge. */
export function reportCaptchaRefused(before = 0): void {
  refusals = before + 1
  publishEnd('refused')
}

function publishEnd(end: CaptchaEnd): void {
  useCaptchaStore.setState({ ended: { end, turn } })
}

/**
 * Runs a call with its captcha: solves, calls, repeats while the server refuses the proof, and hides the captcha at the end. Undefined if
 * the user closed it; other refusals of the call are thrown, and so is the fifth of the proof.
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
