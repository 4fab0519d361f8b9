import type { Company } from '#platform/testing/fake-company.ts'
import type { ChannelTools } from '../vendors/port.ts'

/** At once, or when a database has been asked. */
type Later<T> = T | Promise<T>

/** Bytes that a channel sends to us. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
export interface BookedPayment {
  readonly tradeNo: string
  readonly txn: string
  readonly minor: bigint
  readonly currency: string
}
export interface BookedRefund {
  readonly refundNo: string
  readonly txn: string
  readonly minor: bigint
  readonly state: 'pending' | 'succeeded' | 'failed' | 'stuck'
}
/** What the payer's browser was given. */
export interface PayPage {
  readonly form: string
  readonly payUrl: string
  readonly payHtml: string
}

/**
 * A company behind a real channel, with keys and a book of its own: it checks what we sign, signs what it sends, and
 * delivers its notices by its own schedule on the clock it is given.
 */
export interface FakeChannel {
  readonly name: string
  /** What our side needs to reach this fake, where that is not in the credentials. */
  readonly tools?: Partial<ChannelTools>
  /** Credentials that lead our channel to this fake. */
  readonly env: Readonly<Record<string, string>>
  readonly http: Company
  /** What the company calls whoever pays there; absent where it does not say. */
  readonly payer?: string
  /** Trades that exist there. */
  trades(): Later<readonly string[]>
  payments(): Later<readonly BookedPayment[]>
  refunds(): Later<readonly BookedRefund[]>
  /** What a payer's browser does with what `open` returned: scans nothing, goes to an address, or submits a form. */
  arrive(page: PayPage): Promise<void>
  /** The payer pays. `minor` and `currency` are the trade's own unless told. A notice is queued unless `silent`. */
  pay(tradeNo: string, how?: { readonly minor?: bigint; readonly currency?: string; readonly silent?: boolean }): Later<void>
  decline(tradeNo: string): Later<void>
  /** What becomes of a refund afterwards, with its notice. */
  turnRefund(refundNo: string, state: BookedRefund['state']): Later<void>
  /** The next refunds stay under way until they are turned. */
  slowRefunds(on: boolean): void
  /** A good notice about the trade as it stands, made now: never the same bytes twice. */
  notice(tradeNo: string): Sent
  /** Sends what is due; true answers stop the retries. Returns how many were sent. */
  deliver(): Promise<number>
  /** What somebody else could send about a trade: none of it may have an effect. */
  forgeries(tradeNo: string, otherTradeNo: string): Readonly<Record<string, Sent>>
  /** Bytes that mean the same or not: `good` ones are untouched in the channel's own sense. */
  vectors(tradeNo: string): readonly { readonly name: string; readonly sent: Sent; readonly good: boolean }[]
  /** From now on the other key signs. */
  rotate(): void
  /** Pieces of credentials: none may ever reach an error or a log. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

/** Seconds after each failed try; then it gives up. */
export function mailbox(now: () => Date, schedule: readonly number[], isAccepted: (reply: { status: number; body: string }) => boolean) {
  const queue: { url: string; make: () => Sent; tries: number; dueAt: number }[] = []
  return {
    queue: (url: string, make: () => Sent) => {
      queue.push({ url, make, tries: 0, dueAt: now().getTime() })
    },
    deliver: async (): Promise<number> => {
      const due = queue.filter(({ dueAt }) => dueAt <= now().getTime())
      for (const each of due) {
        const sent = each.make()
        const reply = await fetch(each.url, { method: 'POST', headers: sent.headers, body: new Uint8Array(sent.body), redirect: 'manual' })
          .then(async (answer) => ({ status: answer.status, body: await answer.text() }))
          .catch(() => ({ status: 0, body: '' }))
        const wait = schedule[each.tries++]
        if (isAccepted(reply) || wait === undefined) queue.splice(queue.indexOf(each), 1)
        else each.dueAt = now().getTime() + wait * 1000
      }
      return due.length
    },
  }
}

/** What a company with stored payment methods lets a test do besides. */
export interface FakeAgreements {
  /** Agreements that exist there, and how they stand. */
  all(): readonly { readonly agreementNo: string; readonly state: 'open' | 'active' | 'ended' }[]
  /** The payer agrees, or ends it there, in the company's own pages. A notice is queued unless `silent`. */
  agree(agreementNo: string, how?: { readonly silent?: boolean }): void
  end(agreementNo: string, how?: { readonly silent?: boolean }): void
  /** What the next charges do. `slow`: taken, and paid with `FakeChannel.pay`. */
  charges(outcome: 'paid' | 'declined' | 'authentication' | 'slow'): void
  /** A good notice about an agreement as it stands. */
  notice(agreementNo: string): Sent
}
