/** Order matters: most browsers also claim to be those listed below them. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['WeChat', /MicroMessenger/i],
  ['Alipay', /AlipayClient/i],
  ['DingTalk', /DingTalk/i],
  ['Weibo', /Weibo/i],
  ['QQ', /\bQQ\//],
  ['QQ Browser', /QQBrowser/i],
  ['UC', /UCBrowser/i],
  ['Quark', /Quark/i],
  ['HUAWEI Browser', /HuaweiBrowser/i],
  ['MIUI Browser', /MiuiBrowser/i],
  ['Samsung Internet', /SamsungBrowser/i],
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\/|Opera/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
]
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
]
const PHONE = /iPhone|Android.*Mobile|HarmonyOS.*Mobile|Mobile/i

export interface Device {
  /** For example "Chrome · Windows"; empty if nothing is recognised. */
  readonly name: string
  readonly isPhone: boolean
}

/** Names the browser and the system of a `User-Agent` header, which can be forged. */
export function parseDevice(userAgent: string): Device {
  const first = (list: readonly (readonly [string, RegExp])[]) => list.find(([, mark]) => mark.test(userAgent))?.[0]
  return { name: [first(BROWSERS), first(SYSTEMS)].filter(Boolean).join(' · '), isPhone: PHONE.test(userAgent) }
}
