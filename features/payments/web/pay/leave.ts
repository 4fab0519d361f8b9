import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import type { ChannelRow, PayParams } from '../../contract-shapes.ts'

/**
 * Payment pages refuse to open inside WeChat and similar in-app browsers; Alipay's page opens in Alipay. False: the page shows how to
 * continue instead.
 */
export function canOpenChannel(row: Pick<ChannelRow, 'tradeFrom' | 'transactionType'>): boolean {
  return row.tradeFrom !== 'H5' || ensureRealBrowser('pay', { worksIn: row.transactionType === PAY_METHODS.alipay.id ? ['alipay'] : [] })
}

/** A channel's payment form: only the action and the fields are read from its HTML, never a script. */
export interface ChannelForm {
  readonly action: string
  readonly method: string
  readonly fields: readonly (readonly [string, string])[]
}

export function readChannelForm(html: string): ChannelForm | undefined {
  const form = new DOMParser().parseFromString(html, 'text/html').querySelector('form')
  const action = form?.getAttribute('action')
  if (!form || !action || !/^https?:\/\//.test(action)) return undefined
  const fields = [...form.querySelectorAll('input[name]')].map((input): [string, string] => [input.getAttribute('name')!, input.getAttribute('value') ?? ''])
  return { action, method: form.getAttribute('method') ?? 'post', fields }
}

/** Submits a channel's form once, into this window or the named frame. */
export function submitForm({ action, method, fields }: ChannelForm, target?: string): void {
  const form = document.createElement('form')
  form.action = action
  form.method = method
  if (target) form.target = target
  for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  form.submit()
  form.remove()
}

/**
 * Opens the channel in the same window on a phone: WeChat checks the referring address, and a new window may be blocked. False if there is
 * no address.
 */
export function leaveForChannel(params: PayParams): boolean {
  if (params.form === 'redirect' && /^https?:\/\//.test(params.payUrl)) {
    location.assign(params.payUrl)
    return true
  }
  const form = params.form === 'form' ? readChannelForm(params.payHtml) : undefined
  if (form) submitForm(form)
  return form !== undefined
}
