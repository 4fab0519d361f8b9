import type { PlatformConfig } from '#platform/server/config.ts'
import { fill, type Lang, type Texts, createTextLookup } from '#platform/shared/texts.ts'
import { noticesTexts } from '../texts.ts'
import { LANGUAGES, chooseBrand } from '#platform/shared/languages.ts'

/** Text of a message, and the code in it. */
export interface RenderedSms {
  readonly text: string
  readonly code: string
  /** Variables of an alarm for a carrier's approved template. */
  readonly alarm?: { readonly name: string; readonly detail: string }
}

const purposeWords = createTextLookup(noticesTexts, 'sms_for_')

/** Renders a code within 70 characters, the size of one Chinese message. An unknown purpose becomes "confirm it is you". */
export function renderCodeSms(order: { lang: Lang; code: string; purpose: string; minutes: number }, config: PlatformConfig): RenderedSms {
  const brand = chooseBrand(order.lang, { brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH })
  const purpose = purposeWords(order.lang, order.purpose) ?? noticesTexts[order.lang].sms_for_other
  return { text: fill(noticesTexts[order.lang].sms_code, { brand, code: order.code, purpose, minutes: order.minutes }), code: order.code }
}

/** A Chinese message is 70 characters; the detail is truncated to fit. */
const NAME_LENGTH = 20
const DETAIL_LENGTH = 35

const truncateText = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** An alarm for an operator. */
export function renderAlarmSms(order: { lang: Lang; name: string; detail: string }, config: PlatformConfig): RenderedSms {
  const brand = chooseBrand(order.lang, { brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH })
  const alarm = { name: truncateText(order.name, NAME_LENGTH), detail: truncateText(order.detail, DETAIL_LENGTH) }
  return { text: fill(noticesTexts[order.lang].sms_alarm, { brand, ...alarm }), code: '', alarm }
}

/**
 * A mail template made of texts of the feature that sends it. Paragraphs of the body are separated by an empty line; a paragraph with only
 * {code} is set large, one with only {link} becomes a link. {brand} and {support} are filled in automatically.
 */
export interface MailTemplate<K extends string = string> {
  readonly name: string
  readonly texts: Texts<K>
  readonly subject: K
  readonly body: K
  /** Holds neither a code nor a link that signs in, so operators may resend it. */
  readonly repeatable?: boolean
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly code: string | undefined
}

export function renderMail(
  template: MailTemplate,
  values: Readonly<Record<string, string>>,
  { lang, config }: { readonly lang: Lang; readonly config: PlatformConfig },
): RenderedMail {
  const brand = chooseBrand(lang, { brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH })
  const all = { ...values, brand, support: config.SUPPORT_EMAIL }
  const say = (key: string) => template.texts[lang][key] ?? key
  const paragraphs = say(template.body).split('\n\n')
  const footer = fill(noticesTexts[lang].mail_footer, all)
  const subject = fill(say(template.subject), all).replace(/[\r\n]+/g, ' ')
  return {
    subject,
    text: `${paragraphs.map((paragraph) => fill(paragraph, all)).join('\n\n')}\n\n${footer}\n${config.COMPANY}\n`,
    html: page(lang, subject, {
      brand,
      body: paragraphs.map((paragraph) => block(paragraph, all)).join('\n'),
      footer: `${escape(footer)}<br>${escape(config.COMPANY)}`,
    }),
    code: values['code'],
  }
}

function block(paragraph: string, values: Readonly<Record<string, string>>): string {
  const html = escape(fill(paragraph, values))
  if (paragraph === '{code}')
    return `<p class="code" style="font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;margin:24px 0">${html}</p>`
  if (paragraph === '{link}') return `<p style="margin:16px 0"><a href="${html}">${html}</a></p>`
  return `<p style="margin:16px 0">${html.replaceAll('\n', '<br>')}</p>`
}

function page(lang: Lang, title: string, { brand, body, footer }: { readonly brand: string; readonly body: string; readonly footer: string }): string {
  return `<!doctype html>
<html lang="${LANGUAGES[lang].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escape(title)}</title>
<style>:root{color-scheme:light dark}.page{background:#fff;color:#1a1a1a}.quiet{color:#666}
@media(prefers-color-scheme:dark){.page{background:#121212;color:#ededed}.quiet{color:#9a9a9a}a{color:#8ab4f8}}</style></head>
<body class="page" style="margin:0;padding:32px 16px;font:16px/1.6 system-ui,-apple-system,'PingFang SC','Microsoft YaHei',sans-serif">
<div style="max-width:520px;margin:0 auto"><p style="font-weight:600;font-size:18px;margin:0 0 24px">${escape(brand)}</p>
${body}
<p class="quiet" style="font-size:13px;margin:32px 0 0">${footer}</p></div></body></html>
`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)
