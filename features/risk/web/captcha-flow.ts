import { create } from 'zustand'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useCaptchaStore } from '#platform/web/calls/captcha.ts'
import type { CaptchaEnd, CaptchaRequest, CaptchaScene } from '#platform/web/calls/captcha.ts'
import { getCurrentLang } from '#platform/web/i18n.ts'
import type { CaptchaChallenge } from '../contract.ts'
import { forgetChallenge, prepareChallenge, takePreparedChallenge } from './challenges.ts'
import type { CaptchaWay } from './challenges.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { LANGUAGES, readsHan } from '#platform/shared/languages.ts'

type AliyunChallenge = Extract<CaptchaChallenge, { kind: 'aliyun' }>

interface Instance {
  show?: () => void
  startTracelessVerification?: () => void
}
interface Options {
  SceneId: string
  mode: 'popup'
  element: string
  button: string
  language: string
  slideStyle: { width: number; height: number }
  success: (captchaVerifyParam: string) => void
  fail: () => void
  onError: () => void
  onClose: () => void
  getInstance: (instance: Instance) => void
}
declare global {
  interface Window {
    AliyunCaptchaConfig?: { region: string; prefix: string }
    initAliyunCaptcha?: (options: Options) => void
  }
}

/**
 * The script must be loaded from the vendor (required by its terms, and it changes daily). It is loaded when a form opens, never on the
 * landing page.
 */
const SCRIPT = 'https://o.alicdn.com/captcha-frontend/aliyunCaptcha/AliyunCaptcha.js'
const LOAD_MS = 8000
/** Minimum time between start and check: the vendor judges a faster check as a bot. */
const REST_MS = 2000

let loading: Promise<number> | undefined

/** Loads the vendor's script; resolves to the time at which it was loaded. */
function loadAliyun({ region, prefix }: AliyunChallenge): Promise<number> {
  window.AliyunCaptchaConfig = { region, prefix }
  loading ??= new Promise<number>((resolve, reject) => {
    const script = document.createElement('script')
    const timer = setTimeout(() => reject(new Error('the captcha script took too long')), LOAD_MS)
    script.src = SCRIPT
    script.async = true
    script.onload = () => {
      clearTimeout(timer)
      resolve(Date.now())
    }
    script.onerror = () => {
      clearTimeout(timer)
      reject(new Error('the captcha script did not load'))
    }
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Runs the vendor's pop-up. Resolves to undefined if the user closed it, '' if it returned nothing; rejects if it cannot be shown. */
async function runAliyunCaptcha(challenge: AliyunChallenge, lang: Lang, onShown: () => void): Promise<string | undefined> {
  const since = await loadAliyun(challenge)
  const init = window.initAliyunCaptcha
  if (!init) throw new Error('the captcha script has no initAliyunCaptcha')
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, since + REST_MS - Date.now())))
  const stage = createStage()
  return new Promise<string | undefined>((resolve, reject) => {
    init({
      SceneId: challenge.sceneId,
      mode: 'popup',
      element: '#captcha-element',
      button: '#captcha-button',
      language: readsHan(lang) ? 'cn' : LANGUAGES[lang].tag,
      slideStyle: { width: Math.min(320, innerWidth - 40), height: 40 },
      success: (param) => resolve(param ? `aliyun.${param}` : ''),
      // The script draws the next challenge itself.
      fail: () => {},
      onError: () => reject(new Error('the captcha could not be shown')),
      onClose: () => resolve(undefined),
      getInstance: (instance) => {
        onShown()
        ;(instance.show ?? instance.startTracelessVerification)?.call(instance)
      },
    })
  }).finally(() => stage.remove())
}

/** Creates the two elements that the script expects in the page. */
function createStage(): HTMLElement {
  const stage = document.createElement('div')
  const element = document.createElement('div')
  const button = document.createElement('button')
  element.id = 'captcha-element'
  button.id = 'captcha-button'
  button.hidden = true
  stage.append(element, button)
  document.body.append(stage)
  return stage
}

export type SlideChallenge = Extract<CaptchaChallenge, { kind: 'slide' }>
export type CaptchaNotice = 'captcha.retryTips' | 'captcha.wrongNew'

/**
 * Visible state of the captcha. `hidden`: nothing is shown; `slow`: the hidden challenge takes long enough to show progress; all others are
 * in the pop-up. `passed` stays until the call that needs the proof has ended.
 */
export type CaptchaView =
  | { readonly at: 'hidden' | 'slow' | 'loading' | 'working' | 'passed' }
  | { readonly at: 'slide'; readonly challenge: SlideChallenge; readonly notice: CaptchaNotice | undefined }
  | { readonly at: 'failed'; readonly message: string | undefined; readonly way: CaptchaWay | undefined }

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

export const useCaptchaFlow = create<Flow>(() => ({ view: { at: 'hidden' }, from: null }))
let currentRequest: CaptchaRequest | undefined
let currentScene: CaptchaScene | undefined

const isInPopup = ({ at }: CaptchaView) => at !== 'hidden' && at !== 'slow'

export function isPopupOpen(view: CaptchaView): boolean {
  return isInPopup(view)
}

/** Handles captcha requests of pages (platform/web/calls/captcha.ts) until stopped. */
export function serveCaptcha(): () => void {
  const begin = useCaptchaStore.getState()
  if (begin.awaited) prepareChallenge(begin.awaited)
  if (begin.request) beginRequest(begin.request)
  return useCaptchaStore.subscribe((now, before) => {
    if (now.awaited && now.awaited !== before.awaited) prepareChallenge(now.awaited)
    if (now.request && now.request !== before.request) beginRequest(now.request)
    if (now.ended && now.ended !== before.ended) finishCall(now.ended.end)
  })
}

function beginRequest(request: CaptchaRequest): void {
  if (currentRequest === request) return
  currentRequest = request
  currentScene = request.scene
  const shown = isInPopup(useCaptchaFlow.getState().view)
  if (!shown) useCaptchaFlow.setState({ from: request.from })
  if (request.refusals) forgetChallenge(request.scene)
  const way = shown || request.refusals >= SILENT_REFUSALS ? 'slide' : undefined
  void runChallenge(request, way, request.refusals && way ? 'captcha.retryTips' : undefined)
}

function finishCall(end: CaptchaEnd): void {
  if (end === 'refused') return
  setTimeout(() => hideFrom('passed'), end === 'good' ? PASSED_MS : 0)
  const renewed = currentScene
  if (end === 'failed' && renewed) setTimeout(() => prepareChallenge(renewed), RENEW_MS)
}

function hideFrom(at: CaptchaView['at']): void {
  useCaptchaFlow.setState(({ view }) => (view.at === at ? { view: { at: 'hidden' } } : {}))
}

/** Closes the captcha and cancels the request. */
export function closeCaptcha(): void {
  const asked = currentRequest
  currentRequest = undefined
  useCaptchaFlow.setState({ view: { at: 'hidden' } })
  asked?.answer(undefined)
}

/** Starts another picture, alternative or attempt in the open pop-up. */
export function retryCaptcha(way: CaptchaWay | undefined, notice?: CaptchaNotice): void {
  if (currentRequest) void runChallenge(currentRequest, way, notice)
}

/** Returns the proof to the waiting call; an open pop-up shows "verified". */
export function passCaptcha(param: string): void {
  const asked = currentRequest
  if (!asked) return
  currentRequest = undefined
  useCaptchaFlow.setState(({ view }) => ({ view: { at: isInPopup(view) ? 'passed' : 'hidden' } }))
  if (!asked.watched) setTimeout(() => hideFrom('passed'), PASSED_MS)
  asked.answer(param)
}

async function runChallenge(request: CaptchaRequest, way: CaptchaWay | undefined, notice?: CaptchaNotice): Promise<void> {
  const mine = () => currentRequest === request
  const show = (view: CaptchaView) => {
    if (mine()) useCaptchaFlow.setState({ view })
  }
  if (isInPopup(useCaptchaFlow.getState().view)) show({ at: way === 'altcha' ? 'working' : 'loading' })
  const slow = setTimeout(() => {
    if (useCaptchaFlow.getState().view.at === 'hidden') show({ at: 'slow' })
  }, SLOW_MS)
  try {
    const { challenge, solved } = await takePreparedChallenge(request.scene, way)
    if (!mine()) return
    if (challenge.kind === 'off') return passCaptcha('off')
    if (challenge.kind === 'slide') return show({ at: 'slide', challenge, notice })
    if (challenge.kind === 'altcha') {
      const param = await solved!
      return mine() ? passCaptcha(param) : undefined
    }
    const param = await runAliyunCaptcha(challenge, getCurrentLang(), () => {
      clearTimeout(slow)
      show({ at: 'hidden' })
    })
    if (!mine()) return
    if (param === undefined) return closeCaptcha()
    // An empty proof means that it has expired.
    return param ? passCaptcha(param) : await runChallenge(request, 'slide', 'captcha.retryTips')
  } catch (error) {
    const refusal = isApiError(error) && error.code > 0 ? error.message : undefined
    show({ at: 'failed', message: refusal, way })
  } finally {
    clearTimeout(slow)
  }
}
