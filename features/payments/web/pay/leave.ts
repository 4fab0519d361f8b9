import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import type { ChannelRow, PayParams } from '../../contract-shapes.ts'

const ALIPAY = 1

/** Cashiers refuse to open inside WeChat and its like; Alipay's own opens in Alipay. False: the way out is on screen instead. */
export function canOpenChannel(row: Pick<ChannelRow, 'tradeFrom' | 'transactionType'>): boolean {
  return row.tradeFrom !== 'H5' || ensureRealBrowser('pay', { worksIn: row.transactionType === ALIPAY ? ['alipay'] : [] })
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

/** Submits a channel's form once, into this window or into the frame named. */
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
 * A phone goes to the channel in the same window: WeChat checks the address it came from, and a new window may be blocked.
 * False when there is nowhere to go.
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
