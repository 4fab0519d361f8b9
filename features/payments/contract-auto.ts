import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { amount, minorAmount, orderNoSchema, transactionType } from './contract-shapes.ts'
import { paymentErrors } from './errors.ts'
import { ATTENTIONS, AUTO_STATES, CHARGE_STATES, CHARGE_REFUSALS } from './words-out.ts'
import { PAY_CURRENCY_CODES } from './contract-currencies.ts'
import { CHANNEL_TYPES } from './words.ts'

const percent = z.string().regex(/^\d{1,3}(\.\d{1,4})?$/)
const agreementNo = z.string().regex(/^A\d{8}-[0-9A-Z]{12}$/)

/** Amounts in dollars. The ceilings bound the sum charged per day and per month in Shanghai, fee included. */
const limitInputs = { threshold: amount, amount, dayMost: amount, monthMost: amount }
const plan = z.object({ threshold: usdText, amount: usdText, dayMost: usdText, monthMost: usdText })

const method = z.object({
  channelType: z.number().int(),
  transactionType: z.number().int(),
  name: z.string(),
  img: z.string(),
  feePercent: percent,
  fixedFee: usdText,
  payCurrency: z.enum(PAY_CURRENCY_CODES),
  /** Units of the pay currency per dollar. */
  rate: z.string(),
  /** Bounds of one charge in dollars, fee not included. */
  min: usdText,
  max: usdText,
  /** Minimum days between two charges required by the channel; 0 for none. */
  everyDays: z.number().int(),
})
export type AutoMethod = z.output<typeof method>

export const autoCharge = z.object({
  orderNo: orderNoSchema,
  state: z.enum(CHARGE_STATES),
  refusal: z.enum(CHARGE_REFUSALS).nullable(),
  amount: usdText,
  fee: usdText,
  total: usdText,
  payAmount: minorAmount,
  payCurrency: z.enum(PAY_CURRENCY_CODES),
  transactionType: z.number().int(),
  /** Planned or actual time of the charge. */
  chargeTime: z.string(),
  createdTime: z.string(),
  endedTime: z.string().nullable(),
})
export type AutoCharge = z.output<typeof autoCharge>

export const autoView = z.object({
  /** False while operators have switched it off, and where no channel can store a method. */
  open: z.boolean(),
  state: z.enum(AUTO_STATES),
  attention: z.enum(ATTENTIONS).nullable(),
  /** The agreed plan, or the default values of a new form. */
  plan,
  agreementNo: agreementNo.nullable(),
  /** The stored payment method, labelled for display. */
  method: method.extend({ label: z.string(), signedTime: z.string().nullable() }).nullable(),
  methods: z.array(method),
  bounds: z.object({ thresholdMin: usdText, thresholdMax: usdText, dayMax: usdText, monthMax: usdText, perDay: z.number().int() }),
  used: z.object({ day: usdText, month: usdText, charges: z.number().int() }),
  /** Minutes between the advance notice mail and the charge. */
  leadMinutes: z.number().int(),
  /** No charge before this time: after a refusal, or once a ceiling is reached. */
  pausedUntil: z.string().nullable(),
  undoUntil: z.string().nullable(),
  consentVersion: z.string(),
  charges: z.array(autoCharge),
})
export type AutoView = z.output<typeof autoView>

const consent = { agreed: z.literal(true), consentVersion: z.string().max(20) }
const limitErrors = ['AMOUNT_TOO_SMALL', 'AMOUNT_TOO_LARGE', 'AUTO_CEILING', 'AUTO_CONSENT', 'AUTO_CLOSED', 'AUTO_CHANGED', 'CHANNEL_UNAVAILABLE'] as const

/** Customer endpoints of auto recharge. */
export const autoContract = defineContract(paymentErrors)({
  autoRecharge: {
    method: 'GET',
    path: '/v1/pay/autoRecharge',
    access: 'user',
    summary: 'Auto recharge: what was agreed to, where it stands, and its charges, newest first',
    input: z.object({}),
    reply: autoView,
    errors: [],
  },
  startAuto: {
    method: 'POST',
    path: '/v1/pay/autoRecharge/start',
    flag: 'autoRecharge',
    access: 'user',
    summary: 'Records what the user agrees to, and makes the page of the channel where the method is stored',
    timeoutMs: 60_000,
    input: z.object({ ...limitInputs, ...consent, channelType: z.coerce.number().int().min(1).max(CHANNEL_TYPES), transactionType }),
    reply: z.object({ agreementNo, payUrl: z.string() }),
    errors: [...limitErrors, 'CHANNEL_REFUSED', 'PAY_PROCESSING', 'TOO_MANY_OPEN_ORDERS'],
  },
  checkAuto: {
    method: 'POST',
    path: '/v1/pay/autoRecharge/check',
    access: 'user',
    summary: 'Back from the page of the channel: asks whether the method is stored',
    input: z.object({}),
    reply: autoView,
    errors: [],
  },
  changeAuto: {
    method: 'POST',
    path: '/v1/pay/autoRecharge/change',
    flag: 'autoRecharge',
    access: 'user',
    summary: 'Changes the amounts under the same stored method, with a new consent',
    input: z.object({ ...limitInputs, ...consent }),
    reply: autoView,
    errors: [...limitErrors],
  },
  stopAuto: {
    method: 'POST',
    path: '/v1/pay/autoRecharge/stop',
    access: 'user',
    summary: 'Stops at once; a charge that has left is settled. The stored method is given up when the time to undo is over',
    input: z.object({}),
    reply: autoView,
    errors: [],
  },
  resumeAuto: {
    method: 'POST',
    path: '/v1/pay/autoRecharge/resume',
    flag: 'autoRecharge',
    access: 'user',
    summary: 'Undoes a stop, or resumes after refusals, while the stored method is still valid',
    input: z.object({}),
    reply: autoView,
    errors: ['AUTO_CHANGED', 'AUTO_CLOSED'],
  },
})
