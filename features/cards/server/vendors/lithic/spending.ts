import type Lithic from 'lithic'
import type { Transaction } from 'lithic/resources/transactions/transactions.js'
import { sumNano } from '#platform/shared/money.ts'
import { IssuerRefusal } from '../port.ts'
import type { DeclineReason, IssuerAuthorization, IssuerTransaction, CardMerchant } from '../port.ts'
import { callLithic } from './client.ts'

/** Countries whose two letters are not the first two of their three (ISO 3166-1). */
const EXCEPTIONS = new Map(
  'ABWAW AGOAO ALAAX ANDAD AREAE ARMAM ATAAQ ATFTF ATGAG AUTAT BDIBI BENBJ BESBQ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN CAFCF CHLCL CHNCN CODCD COGCG COKCK COMKM CPVCV CUWCW CYMKY DNKDK ESHEH ESTEE FLKFK FROFO FSMFM GINGN GLPGP GNBGW GNQGQ GRDGD GRLGL GUFGF GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MAFMF MDGMG MDVMV MEXMX MLTMT MNEME MNPMP MOZMZ MTQMQ MYTYT NIUNU PAKPK PCNPN PLWPW PNGPG POLPL PRKKP PRTPT PRYPY PYFPF SENSN SGSGS SLBSB SLVSV SPMPM SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY WLFWF'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 3), pair.slice(3)]),
)

/** "CZE" -> "CZ": Lithic writes merchants' countries with three letters. */
function toAlpha2Country(country: string): string {
  const code = country.toUpperCase()
  return EXCEPTIONS.get(code) ?? code.slice(0, 2)
}

/** Lithic keeps an authorisation and what was cleared under it in one transaction, as events; ours are named by both tokens. */
type Event = NonNullable<Transaction['events']>[number]

const cents = (value: number): bigint => BigInt(Math.abs(value))
const eventsOf = ({ events }: Transaction): readonly Event[] => (events ?? []).toSorted((one, other) => one.created.localeCompare(other.created))

export const parseLithicMerchant = ({ descriptor, city, country, mcc }: { descriptor: string; city: string; country: string; mcc: string }): CardMerchant => ({
  name: descriptor,
  city,
  country: toAlpha2Country(country),
  mcc,
})

type Side = Pick<Transaction['amounts']['merchant'], 'amount' | 'currency'>
export const parseLithicLocalAmount = (cardholder: Side, merchant: Side): { local?: { minor: bigint; currency: string } } =>
  merchant.currency === cardholder.currency ? {} : { local: { minor: cents(merchant.amount), currency: merchant.currency } }

const REQUEST_EVENTS: ReadonlySet<Event['type']> = new Set(['AUTHORIZATION', 'AUTHORIZATION_ADVICE'])
const CAPTURE_EVENTS: ReadonlySet<Event['type']> = new Set(['CLEARING', 'FINANCIAL_AUTHORIZATION', 'CORRECTION_DEBIT'])
const CREDIT_EVENTS: ReadonlySet<Event['type']> = new Set(['RETURN', 'FINANCIAL_CREDIT_AUTHORIZATION', 'CORRECTION_CREDIT'])

const REASONS: Readonly<Record<string, DeclineReason>> = {
  CARD_PAUSED: 'card_frozen',
  CARD_CLOSED: 'card_closed',
  CARD_EXPIRED: 'card_expired',
  CARD_NOT_ACTIVATED: 'card_not_ready',
  ACCOUNT_PAUSED: 'account_frozen',
  ACCOUNT_INACTIVE: 'account_frozen',
  CARD_EXPIRY_DATE_INCORRECT: 'wrong_details',
  CARD_SECURITY_CODE_INCORRECT: 'wrong_details',
  ADDRESS_INCORRECT: 'wrong_details',
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  SUSPECTED_FRAUD: 'suspected_fraud',
  UNAUTHORIZED_MERCHANT: 'merchant_blocked',
  CUSTOMER_ASA_TIMEOUT: 'no_answer',
  MALFORMED_ASA_RESPONSE: 'no_answer',
}
const STATES: Readonly<Record<Transaction['status'], IssuerAuthorization['status']>> = {
  PENDING: 'pending',
  SETTLED: 'closed',
  DECLINED: 'closed',
  VOIDED: 'reversed',
  EXPIRED: 'expired',
}

async function fetchTransaction(lithic: Lithic, token: string): Promise<Transaction> {
  return callLithic('retrieve a transaction', () => lithic.transactions.retrieve(token))
}

export async function fetchLithicAuthorization(lithic: Lithic, ref: string): Promise<IssuerAuthorization> {
  const found = await fetchTransaction(lithic, ref)
  const events = eventsOf(found)
  const approvals = events.filter(({ type, result }) => REQUEST_EVENTS.has(type) && result === 'APPROVED')
  const declined = events.findLast(({ type, result }) => REQUEST_EVENTS.has(type) && result !== 'APPROVED')
  const held = cents(found.amounts.hold.amount)
  const status = found.status === 'SETTLED' && held > 0n ? 'pending' : STATES[found.status]
  const why = [...(declined?.detailed_results ?? []), declined?.result ?? ''].map((one) => REASONS[one]).find((one) => one !== undefined)
  return {
    ref,
    cardRef: found.card_token,
    status,
    approved: approvals.length > 0,
    ...(approvals.length ? {} : { reason: why ?? 'issuer_rule' }),
    heldMinor: status === 'pending' && approvals.length ? held : 0n,
    approvedMinor: sumNano(approvals.map((event) => cents(event.amount))),
    merchant: parseLithicMerchant(found.merchant),
    ...parseLithicLocalAmount(found.amounts.cardholder, found.amounts.merchant),
    createdAt: new Date(found.created),
    reversals: events.filter(({ type }) => type === 'AUTHORIZATION_REVERSAL').length,
  }
}

export async function fetchLithicTransaction(lithic: Lithic, ref: string): Promise<IssuerTransaction> {
  const [token = '', eventToken] = ref.split('.')
  const found = await fetchTransaction(lithic, token)
  const made = toTransactions(found).find((row) => row.ref === `${token}.${eventToken}`)
  if (!made) throw new IssuerRefusal('not_found')
  return made
}

/** The last event that moved money, as a notice names it. */
export const findLastTransactionRow = (found: Transaction): string | undefined => {
  const last = eventsOf(found).at(-1)
  return last && toTransactions(found).find(({ ref }) => ref === `${found.token}.${last.token}`)?.ref
}

function toTransactions(found: Transaction): IssuerTransaction[] {
  const events = eventsOf(found)
  const asked = events.some(({ type }) => REQUEST_EVENTS.has(type))
  return events.flatMap((event): IssuerTransaction[] => {
    const kind = CAPTURE_EVENTS.has(event.type)
      ? 'capture'
      : CREDIT_EVENTS.has(event.type)
        ? 'refund'
        : event.type === 'RETURN_REVERSAL'
          ? 'refund_reversal'
          : undefined
    if (!kind || event.result !== 'APPROVED') return []
    return [
      {
        ref: `${found.token}.${event.token}`,
        cardRef: found.card_token,
        ...(asked ? { authorizationRef: found.token } : {}),
        kind,
        minor: cents(event.amount),
        merchant: parseLithicMerchant(found.merchant),
        ...parseLithicLocalAmount(event.amounts.cardholder, event.amounts.merchant),
        at: new Date(event.created),
      },
    ]
  })
}

/** Longest time from the start of a transaction to its clearing: Lithic lists transactions by their start. */
const LONGEST_MS = 120 * 86_400_000

export async function* listLithicTransactions(lithic: Lithic, from: Date, to: Date): AsyncGenerator<IssuerTransaction> {
  const rows: IssuerTransaction[] = []
  await callLithic('list transactions', async () => {
    const range = { begin: new Date(from.getTime() - LONGEST_MS).toISOString(), end: to.toISOString() }
    for await (const found of lithic.transactions.list({ ...range, page_size: 100 })) rows.push(...toTransactions(found))
  })
  const within = rows.filter(({ at }) => at >= from && at < to)
  yield* within.toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.ref.localeCompare(other.ref))
}
