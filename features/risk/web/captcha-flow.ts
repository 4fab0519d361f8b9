import { create } from 'zustand'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useCaptchaStore, type CaptchaEnd, type CaptchaRequest, type CaptchaScene } from '#platform/web/calls/captcha.ts'
import { currentLang } from '#platform/web/i18n.ts'
import type { CaptchaChallenge } from '../contract.ts'
import { askAliyun } from './aliyun.ts'
import { forgetChallenge, prepareChallenge, takeChallenge, type Way } from './challenges.ts'

export type SlideChallenge = Extract<CaptchaChallenge, { kind: 'slide' }>
export type Notice = 'captcha.retryTips' | 'captcha.wrongNew'

/**
 * `hidden` nothing is seen; `slow` the hidden challenge takes long enough to say so; the rest is in the pop-up. `passed`
 * stays until the call has ended that the proof was made for.
 */
export type CaptchaView =
  | { readonly at: 'hidden' | 'slow' | 'loading' | 'working' | 'passed' }
  | { readonly at: 'slide'; readonly challenge: SlideChallenge; readonly notice: Notice | undefined }
  | { readonly at: 'failed'; readonly message: string | undefined; readonly way: Way | undefined }

interface Flow {
  readonly view: CaptchaView
  /** Element that focus returns to. */
  readonly from: Element | null
}

/** A hidden challenge solved faster than this shows no progress. */
const SLOW_MS = 400
/** Display time of "verified" in milliseconds. */
const PASSED_MS = 500
/** Delay before a new challenge is prepared after a call that failed for another reason (product.md 2.8). */
const RENEW_MS = 500
/** After this many silent refusals a visible challenge is shown, since the machine may be the cause. */
const SILENT_REFUSALS = 2

export const useFlow = create<Flow>(() => ({ view: { at: 'hidden' }, from: null }))
let current: CaptchaRequest | undefined
let scene: CaptchaScene | undefined

const inPopup = ({ at }: CaptchaView) => at !== 'hidden' && at !== 'slow'

export function popupIsOpen(view: CaptchaView): boolean {
  return inPopup(view)
}

/** Serves what pages ask through platform/web/calls/captcha.ts, until told to stop. */
export function serveCaptcha(): () => void {
  const begin = useCaptchaStore.getState()
  if (begin.awaited) prepareChallenge(begin.awaited)
  if (begin.request) open(begin.request)
  return useCaptchaStore.subscribe((now, before) => {
    if (now.awaited && now.awaited !== before.awaited) prepareChallenge(now.awaited)
    if (now.request && now.request !== before.request) open(now.request)
    if (now.ended && now.ended !== before.ended) finish(now.ended.end)
  })
}

function open(request: CaptchaRequest): void {
  if (current === request) return
  current = request
  scene = request.scene
  const shown = inPopup(useFlow.getState().view)
  if (!shown) useFlow.setState({ from: request.from })
  if (request.refusals) forgetChallenge(request.scene)
  const way = shown || request.refusals >= SILENT_REFUSALS ? 'slide' : undefined
  void run(request, way, request.refusals && way ? 'captcha.retryTips' : undefined)
}

function finish(end: CaptchaEnd): void {
  if (end === 'refused') return
  setTimeout(() => hideFrom('passed'), end === 'good' ? PASSED_MS : 0)
  const renewed = scene
  if (end === 'failed' && renewed) setTimeout(() => prepareChallenge(renewed), RENEW_MS)
}

function hideFrom(at: CaptchaView['at']): void {
  useFlow.setState(({ view }) => (view.at === at ? { view: { at: 'hidden' } } : {}))
}

/** The person gave up. */
export function closeCaptcha(): void {
  const asked = current
  current = undefined
  useFlow.setState({ view: { at: 'hidden' } })
  asked?.answer(undefined)
}

/** Another picture, another way, or another try, in the open pop-up. */
export function again(way: Way | undefined, notice?: Notice): void {
  if (current) void run(current, way, notice)
}

/** The proof is there: "verified" is seen in an open pop-up, and the call goes out. */
export function pass(param: string): void {
  const asked = current
  if (!asked) return
  current = undefined
  useFlow.setState(({ view }) => ({ view: { at: inPopup(view) ? 'passed' : 'hidden' } }))
  if (!asked.watched) setTimeout(() => hideFrom('passed'), PASSED_MS)
  asked.answer(param)
}

async function run(request: CaptchaRequest, way: Way | undefined, notice?: Notice): Promise<void> {
  const mine = () => current === request
  const show = (view: CaptchaView) => {
    if (mine()) useFlow.setState({ view })
  }
  if (inPopup(useFlow.getState().view)) show({ at: way === 'altcha' ? 'working' : 'loading' })
  const slow = setTimeout(() => {
    if (useFlow.getState().view.at === 'hidden') show({ at: 'slow' })
  }, SLOW_MS)
  try {
    const { challenge, solved } = await takeChallenge(request.scene, way)
    if (!mine()) return
    if (challenge.kind === 'off') return pass('off')
    if (challenge.kind === 'slide') return show({ at: 'slide', challenge, notice })
    if (challenge.kind === 'altcha') {
      const param = await solved!
      return mine() ? pass(param) : undefined
    }
    const param = await askAliyun(challenge, currentLang(), () => {
      clearTimeout(slow)
      show({ at: 'hidden' })
    })
    if (!mine()) return
    if (param === undefined) return closeCaptcha()
    // An empty proof is an expired one.
    return param ? pass(param) : await run(request, 'slide', 'captcha.retryTips')
  } catch (error) {
    const refusal = isApiError(error) && error.code > 0 ? error.message : undefined
    show({ at: 'failed', message: refusal, way })
  } finally {
    clearTimeout(slow)
  }
}
