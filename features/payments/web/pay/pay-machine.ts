import type { ChannelRow, PaymentOrder, PayParams } from '../../contract-shapes.ts'
import type { OrderState } from '../../words.ts'

/** State of a payment, shared by the dialog and the page. All rendering derives from it. */
export type PayState =
  | { readonly step: 'amount'; readonly busy: boolean; readonly error?: string }
  | { readonly step: 'opening'; readonly order: PaymentOrder; readonly method: ChosenMethod }
  | {
      readonly step: 'ready'
      readonly order: PaymentOrder
      readonly method: ChosenMethod
      readonly params: PayParams
      readonly until: number
      readonly code: 'active' | 'expired'
      readonly scanned: boolean
      readonly left: boolean
      readonly doubt: boolean
    }
  | {
      readonly step: 'choosing'
      readonly order: PaymentOrder
      readonly method: ChosenMethod
      readonly error?: string
      readonly back?: Extract<PayState, { step: 'ready' }>
    }
  /** The payment notice must be read first, here or on a phone. */
  | { readonly step: 'notice'; readonly order: PaymentOrder; readonly method: ChosenMethod; readonly url: string }
  /** The payer must be identified first: `way` names the step, and the order waits. */
  | { readonly step: 'identity'; readonly order: PaymentOrder; readonly method: ChosenMethod; readonly error: string; readonly way: IdentityWay }
  /**
   * Payment from the balance: no page is opened, and the payment password pays. `isConfirmed`: the user has just confirmed the sum, so the
   * password is requested at once.
   */
  | {
      readonly step: 'balance'
      readonly order: PaymentOrder
      readonly method: ChosenMethod
      readonly busy: boolean
      readonly isConfirmed?: true
      readonly error?: string
      readonly missing?: string
    }
  /** The channel's answer is unknown; never shown as a failure. */
  | { readonly step: 'unknown'; readonly order: PaymentOrder; readonly method: ChosenMethod }
  | { readonly step: 'succeeded'; readonly order: PaidOrderResult }
  | { readonly step: 'over'; readonly order: PaymentOrder; readonly why: 'expired' | 'cancelled' | 'mismatch' }

/** Identity step: the face check, or account opening, which lists what is missing. */
export type IdentityWay = 'face' | 'opening'
export type ChosenMethod = Pick<ChannelRow, 'channelType' | 'transactionType' | 'tradeFrom'>
export interface PaidOrderResult extends PaymentOrder {
  readonly balance: string
}
export interface Polled {
  readonly state: OrderState
  readonly scanned: boolean
  readonly declined: boolean
}

export type PayEvent =
  | { readonly type: 'submitted' }
  | { readonly type: 'refused'; readonly error: string }
  | { readonly type: 'opening'; readonly order: PaymentOrder; readonly method: ChosenMethod }
  | { readonly type: 'balance'; readonly order: PaymentOrder; readonly method: ChosenMethod; readonly isConfirmed?: true }
  | { readonly type: 'balanceAsked' }
  | { readonly type: 'balanceRefused'; readonly error?: string; readonly missing?: string }
  | { readonly type: 'opened'; readonly params: PayParams; readonly now: number }
  | { readonly type: 'openRefused'; readonly error: string }
  | { readonly type: 'openLost' }
  | { readonly type: 'noticeFirst'; readonly url: string }
  | { readonly type: 'identityFirst'; readonly error: string; readonly way: IdentityWay }
  | { readonly type: 'codeExpired' }
  | { readonly type: 'left' }
  | { readonly type: 'polled'; readonly polled: Polled; readonly declinedText: string }
  | { readonly type: 'pollLost' }
  | { readonly type: 'paid'; readonly order: PaidOrderResult }
  | { readonly type: 'ended'; readonly order: PaymentOrder }
  | { readonly type: 'changeMethod' }
  | { readonly type: 'back' }
  | { readonly type: 'restart' }

export const initialPayState: PayState = { step: 'amount', busy: false }

export function reducePay(state: PayState, event: PayEvent): PayState {
  switch (event.type) {
    case 'restart':
      return initialPayState
    case 'submitted':
      return state.step === 'amount' ? { step: 'amount', busy: true } : state
    case 'refused':
      return state.step === 'amount' ? { step: 'amount', busy: false, error: event.error } : state
    case 'opening':
      return { step: 'opening', order: event.order, method: event.method }
    case 'balance':
      return { step: 'balance', order: event.order, method: event.method, busy: false, ...(event.isConfirmed ? { isConfirmed: true } : {}) }
    // Success is final: late responses do not change it.
    case 'paid':
      return state.step === 'succeeded' ? state : { step: 'succeeded', order: event.order }
    case 'ended':
      return state.step === 'succeeded' ? state : { step: 'over', order: event.order, why: toEndReason(event.order.state) }
    default:
      return hasOrder(state) ? reduceOpen(state, event) : state
  }
}

type Open = Extract<PayState, { order: PaymentOrder; method: ChosenMethod }>

function reduceOpen(state: Open, event: PayEvent): PayState {
  const { order, method } = state
  switch (event.type) {
    case 'opened':
      return state.step === 'opening' || state.step === 'unknown'
        ? {
            step: 'ready',
            order,
            method,
            params: event.params,
            until: event.now + event.params.timeExpireTime * 1000,
            code: 'active',
            scanned: false,
            left: false,
            doubt: false,
          }
        : state
    case 'balanceAsked':
      return state.step === 'balance' ? { step: 'balance', order, method, busy: true } : state
    case 'balanceRefused':
      return state.step === 'balance' ? reduceBalanceRefused(order, method, event) : state
    case 'openRefused':
      return state.step === 'opening' ? { step: 'choosing', order, method, error: event.error } : state
    case 'noticeFirst':
      return state.step === 'opening' ? { step: 'notice', order, method, url: event.url } : state
    case 'identityFirst':
      return { step: 'identity', order, method, error: event.error, way: event.way }
    case 'openLost':
      return state.step === 'opening' ? { step: 'unknown', order, method } : state
    case 'codeExpired':
      return state.step === 'ready' ? { ...state, code: 'expired' } : state
    case 'left':
      return state.step === 'ready' ? { ...state, left: true } : state
    case 'polled':
      return reducePolled(state, event.polled, event.declinedText)
    case 'pollLost':
      return state.step === 'ready' ? { ...state, doubt: true } : state
    case 'changeMethod':
      return state.step === 'ready'
        ? { step: 'choosing', order, method, back: state }
        : state.step === 'unknown' || state.step === 'notice'
          ? { step: 'choosing', order, method }
          : state
    case 'back':
      return state.step === 'choosing' && state.back ? state.back : state
    default:
      return state
  }
}

function reduceBalanceRefused(order: PaymentOrder, method: ChosenMethod, { error, missing }: Extract<PayEvent, { type: 'balanceRefused' }>): PayState {
  return { step: 'balance', order, method, busy: false, ...(error === undefined ? {} : { error }), ...(missing === undefined ? {} : { missing }) }
}

/** A finished order arrives in full as `paid` or `ended`; a poll alone changes only an open payment. */
function reducePolled(state: Open, polled: Polled, declinedText: string): PayState {
  if (state.step !== 'ready') return state
  if (polled.declined) return { step: 'choosing', order: state.order, method: state.method, error: declinedText }
  return { ...state, scanned: polled.scanned, doubt: false }
}

export function hasOrder(state: PayState): state is Open {
  return (
    state.step === 'balance' ||
    state.step === 'notice' ||
    state.step === 'identity' ||
    state.step === 'opening' ||
    state.step === 'ready' ||
    state.step === 'choosing' ||
    state.step === 'unknown'
  )
}

function toEndReason(state: OrderState): 'expired' | 'cancelled' | 'mismatch' {
  return state === 'integrity_failure' ? 'mismatch' : state === 'cancelled' ? 'cancelled' : 'expired'
}
