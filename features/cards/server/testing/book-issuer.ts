import type {
  AuthorizationRequest,
  AuthorizationDecision,
  IssuerAuthorization,
  IssuerCard,
  IssuerDispute,
  IssuerNotice,
  IssuerTransaction,
  LoadCall,
  LoadFact,
  DeclineReason,
  CardMerchant,
} from '../vendors/port.ts'

/** Fault of the next call of a kind: `lost`: done, but the response is lost; `dead`: not executed. */
type BookFault = 'lost' | 'dead' | 'refused'

interface BookAuthorization {
  ref: string
  cardRef: string
  status: IssuerAuthorization['status']
  approved: boolean
  reason?: DeclineReason
  held: bigint
  approvedMinor: bigint
  merchant: CardMerchant
  createdAt: Date
  reversals: number
  captured: bigint
}

export const HOME_MERCHANT: CardMerchant = { name: 'OPENAI *CHATGPT SUBSCR', city: 'San Francisco', country: 'US', mcc: '5817' }
export const FOREIGN_MERCHANT: CardMerchant = { name: 'SUNO INC', city: 'Berlin', country: 'DE', mcc: '5817' }

interface AuthorizeOptions {
  readonly merchant?: CardMerchant
  readonly partial?: boolean
  /** Undefined: the issuer does not ask us, and `without` decides. */
  readonly decide?: (notice: Extract<IssuerNotice, { kind: 'decide' }>) => Promise<AuthorizationDecision>
  readonly without?: boolean
  /** The network's decision, which overrides ours. */
  readonly overrule?: boolean
  /** The authorisation that this one increments. */
  readonly again?: BookAuthorization
}

/** In-memory issuer with its own book; shares no code with the application. Notices wait in `notices` until a test delivers them. */
export function createBookIssuer() {
  return {
    name: 'book',
    supports: { challenges: 'ours', disputes: true, partial: true, frame: true, billing: true } as const,
    cards: new Map<string, IssuerCard & { state: IssuerCard['state']; balance: bigint }>(),
    keys: new Map<string, string>(),
    loads: new Map<string, LoadFact>(),
    auths: new Map<string, BookAuthorization>(),
    transactions: new Map<string, IssuerTransaction>(),
    disputes: new Map<string, IssuerDispute & { status: IssuerDispute['status']; credited: boolean }>(),
    notices: [] as IssuerNotice[],
    codes: new Map<string, { cardRef: string; code: string }>(),
    faults: {} as Partial<Record<'createCard' | 'load' | 'state' | 'ask', BookFault[]>>,
    created: 0,
    now: (): Date => new Date(),
    count: 0,

    id(prefix: string): string {
      return `${prefix}_${++this.count}`
    },
    fault(of: 'createCard' | 'load' | 'state' | 'ask'): BookFault | undefined {
      return this.faults[of]?.shift()
    },

    async createHolder({ key }: { key: string }) {
      return { holderRef: `holder:${key}` }
    },
    async createCard({ key }: { key: string }): Promise<IssuerCard> {
      const fault = this.fault('createCard')
      if (fault === 'dead') throw new Error('connection refused')
      const known = this.keys.get(key)
      const ref = known ?? this.id('ic')
      if (!known) {
        this.created++
        this.keys.set(key, ref)
        const last4 = String(1000 + this.created).slice(-4)
        const state = fault === 'refused' ? ('failed' as const) : ('active' as const)
        this.cards.set(ref, {
          cardRef: ref,
          state,
          reason: 'Name Mismatch',
          bin: '424242',
          last4,
          expMonth: 12,
          expYear: this.now().getUTCFullYear() + 2,
          balance: 0n,
        })
      }
      if (fault === 'lost') throw new Error('socket hang up')
      return this.cards.get(ref)!
    },
    async cardByKey(key: string) {
      const ref = this.keys.get(key)
      return ref ? this.cards.get(ref) : undefined
    },
    async card(ref: string) {
      return this.cards.get(ref)!
    },
    async setCardState(ref: string, state: 'active' | 'frozen' | 'closed') {
      const fault = this.fault('state')
      if (fault === 'dead') throw new Error('connection refused')
      const card = this.cards.get(ref)!
      if (card.state !== 'closed') this.cards.set(ref, { ...card, state })
      if (fault === 'lost') throw new Error('socket hang up')
      return this.cards.get(ref)!
    },
    async load({ key, cardRef, minor, direction }: LoadCall): Promise<LoadFact> {
      const fault = this.fault('load')
      if (fault === 'dead') throw new Error('connection refused')
      const known = this.loads.get(key)
      if (known) return known
      const fact: LoadFact = fault === 'refused' ? { status: 'refused', reason: 'no funds' } : { status: 'done' }
      this.loads.set(key, fact)
      const card = this.cards.get(cardRef)!
      if (fact.status === 'done') card.balance += direction === 'load' ? minor : -minor
      if (fault === 'lost') throw new Error('socket hang up')
      return fact
    },
    async loadByKey(key: string): Promise<LoadFact> {
      return this.loads.get(key) ?? { status: 'not_found' }
    },
    async authorization(ref: string): Promise<IssuerAuthorization> {
      if (this.fault('ask')) throw new Error('socket hang up')
      const { held, captured: _, ...auth } = this.auths.get(ref)!
      return { ...auth, heldMinor: held }
    },
    async transaction(ref: string): Promise<IssuerTransaction> {
      if (this.fault('ask')) throw new Error('socket hang up')
      return this.transactions.get(ref)!
    },
    async dispute(ref: string) {
      return this.disputes.get(ref)!
    },
    async openDispute({ key, transactionRef, minor }: { key: string; transactionRef: string; minor: bigint }): Promise<IssuerDispute> {
      const ref = `d:${key}`
      if (!this.disputes.has(ref)) this.disputes.set(ref, { ref, transactionRef, minor, status: 'submitted', credited: true })
      return this.disputes.get(ref)!
    },
    readNotice: () => undefined,
    answer: (decision: AuthorizationDecision) => ({ status: 200, type: 'application/json', body: JSON.stringify({ approved: decision.approved }) }),
    acknowledge: () => ({ status: 200, type: 'text/plain', body: 'ok' }),
    async reveal({ cardRef }: { cardRef: string }) {
      return { form: 'frame' as const, url: `https://issuer.example/frame?nonce=${cardRef}`, expiresAt: new Date(this.now().getTime() + 60_000) }
    },
    async challenge(ref: string) {
      const known = this.codes.get(ref)
      return known && { ref, ...known, merchant: HOME_MERCHANT, minor: 2000n, expiresAt: new Date(this.now().getTime() + 300_000) }
    },
    async *book(from: Date, to: Date) {
      for (const row of this.transactions.values()) if (row.at >= from && row.at < to) yield row
    },

    // Events at the issuer.

    /** Calls `decide` and applies the decision, or the network's default without a response. */
    async authorize(cardRef: string, minor: bigint, how: AuthorizeOptions): Promise<BookAuthorization> {
      const asked: AuthorizationRequest = {
        ref: how.again?.ref ?? this.id('ia'),
        cardRef,
        minor,
        increment: how.again !== undefined,
        partialAllowed: how.partial ?? false,
        merchant: how.merchant ?? HOME_MERCHANT,
      }
      const said: AuthorizationDecision = how.decide
        ? await how.decide({ kind: 'decide', eventId: this.id('ev'), asked })
        : (how.without ?? true)
          ? { approved: true }
          : { approved: false, reason: 'issuer_rule' }
      const approved = (how.overrule ?? said.approved) && this.cards.get(cardRef)!.state === 'active'
      const granted = approved ? (said.approved ? (said.minor ?? minor) : minor) : 0n
      const auth: BookAuthorization = how.again ?? {
        ref: asked.ref,
        cardRef,
        status: approved ? 'pending' : 'closed',
        approved,
        ...(said.approved ? {} : { reason: said.reason }),
        held: 0n,
        approvedMinor: 0n,
        merchant: asked.merchant,
        createdAt: this.now(),
        reversals: 0,
        captured: 0n,
      }
      if (approved) {
        auth.held += granted
        auth.approvedMinor += granted
      }
      this.auths.set(auth.ref, auth)
      this.tell('authorization', auth.ref, cardRef)
      return auth
    },
    /** Captures part, all, or more than was authorised; `done` closes the authorisation. */
    capture(auth: BookAuthorization, minor: bigint, done = true): IssuerTransaction {
      auth.captured += minor
      auth.held = done ? 0n : auth.held > minor ? auth.held - minor : 0n
      if (done) auth.status = 'closed'
      return this.post(auth.cardRef, 'capture', minor, auth.merchant, auth.ref)
    },
    reverse(auth: BookAuthorization, minor = auth.held): void {
      auth.held -= minor
      auth.reversals++
      if (auth.held === 0n) auth.status = auth.captured > 0n ? 'closed' : 'reversed'
      this.tell('authorization', auth.ref, auth.cardRef)
    },
    expire(auth: BookAuthorization): void {
      auth.held = 0n
      auth.status = 'expired'
      this.tell('authorization', auth.ref, auth.cardRef)
    },
    post(cardRef: string, kind: IssuerTransaction['kind'], minor: bigint, merchant = HOME_MERCHANT, authorizationRef?: string): IssuerTransaction {
      const row: IssuerTransaction = { ref: this.id('it'), cardRef, kind, minor, merchant, at: this.now(), ...(authorizationRef ? { authorizationRef } : {}) }
      this.transactions.set(row.ref, row)
      this.tell('transaction', row.ref, cardRef)
      if (authorizationRef) this.tell('authorization', authorizationRef, cardRef)
      return row
    },
    tell(kind: 'authorization' | 'transaction' | 'card' | 'dispute' | 'challenge', ref: string, cardRef: string): void {
      this.notices.push({ kind, eventId: this.id('ev'), ref, cardRef })
    },
    /** Captures less refunds of a card in the issuer's book, in cents. */
    spent(cardRef?: string): bigint {
      let total = 0n
      for (const row of this.transactions.values())
        if (cardRef === undefined || row.cardRef === cardRef) total += row.kind === 'refund' ? -row.minor : row.minor
      return total
    },
  }
}
export type BookIssuer = ReturnType<typeof createBookIssuer>
