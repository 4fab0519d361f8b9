import type { Lang } from '#platform/shared/texts.ts'
import type { CaptchaChallenge } from '../contract.ts'

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
  language: 'cn' | 'en'
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

/** It must come from the vendor (its terms, and it changes daily), and is loaded when a form opens, never on the landing page. */
const SCRIPT = 'https://o.alicdn.com/captcha-frontend/aliyunCaptcha/AliyunCaptcha.js'
const LOAD_MS = 8000
/** The vendor judges a check as a program's when less lies between its start and the asking. */
const REST_MS = 2000

let loading: Promise<number> | undefined

/** Loads the vendor's script; resolves with the moment at which it was there. */
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

/** Lets the vendor's pop-up check the person. Undefined when it was closed, '' when it gave nothing; rejects when it cannot be shown. */
export async function runAliyunCaptcha(challenge: AliyunChallenge, lang: Lang, onShown: () => void): Promise<string | undefined> {
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
      language: lang === 'zh' ? 'cn' : 'en',
      slideStyle: { width: Math.min(320, innerWidth - 40), height: 40 },
      success: (param) => resolve(param ? `aliyun.${param}` : ''),
      // It draws the next one by itself.
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

/** The two elements that the script wants to find in the page. */
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
