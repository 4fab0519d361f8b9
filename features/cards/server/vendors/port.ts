import type { ConfigShape } from '#platform/server/config.ts'
import type { PageSources, RawReply, RawRequest, SandboxPanel } from '#platform/server/feature.ts'
import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { CardPlatform } from '../../words.ts'
import type {
  CardCall,
  AuthorizationDecision,
  DisputeCall,
  HolderCall,
  IssuerAuthorization,
  IssuerCard,
  IssuerChallenge,
  IssuerDispute,
  IssuerNotice,
  IssuerTransaction,
  IssuerAddress,
  LoadCall,
  LoadFact,
  OpenReason,
  RevealCall,
  RevealFrame,
} from './port-facts.ts'

export type { PageSources, RawReply, RawRequest, SandboxPanel, ConfigShape }
export { DECLINE_REASONS } from './port-facts.ts'
export type * from './port-facts.ts'

/**
 * A card issuer. Money is in cents of US dollars (`bigint`), never negative unless said so. Every change carries a `key` and is idempotent
 * by it. A failed call throws a `SupplierError`: `rejected` (an `IssuerRefusal`), `retryable` or `unknown`; after `unknown` the outcome is
 * queried by key or by reference, never guessed. No method ever returns a card number or a security code.
 */
export interface Issuer {
  readonly name: string
  readonly supports: IssuerSupports
  /**
   * Reason for which this issuer is certain to refuse a holder, by its documented limits; checked before the user pays. Undefined: it may
   * be tried.
   */
  refuses?(holder: HolderCall): OpenReason | undefined
  /** Creates the holder at the issuer; once per key. */
  createHolder(call: HolderCall): Promise<{ readonly holderRef: string }>
  createCard(call: CardCall): Promise<IssuerCard>
  /** Returns the card that `createCard` made under this key; query it after a lost response, before a retry. */
  cardByKey(key: string): Promise<IssuerCard | undefined>
  card(cardRef: string): Promise<IssuerCard>
  /** `closed` is final. Authorisations that were approved before are still captured. */
  setCardState(cardRef: string, state: 'active' | 'frozen' | 'closed', key: string): Promise<IssuerCard>
  /**
   * Changes the billing address of one card; resolves to the address that the issuer then holds. Absent if the issuer accepts no other one.
   */
  setBilling?(cardRef: string, address: IssuerAddress, key: string): Promise<IssuerAddress>
  /**
   * Moves money on or off a card that keeps a balance at the issuer. Issuers that request a decision for every authorisation return `done`
   * at once.
   */
  load(call: LoadCall): Promise<LoadFact>
  loadByKey(key: string): Promise<LoadFact>
  /** Current state at the issuer, queried after a notice; the only source that is trusted. */
  authorization(ref: string): Promise<IssuerAuthorization>
  transaction(ref: string): Promise<IssuerTransaction>
  dispute(ref: string): Promise<IssuerDispute>
  /** Opens and submits a dispute with its evidence; one dispute per transaction. */
  openDispute(call: DisputeCall): Promise<IssuerDispute>
  /** Returns undefined if the signature is invalid. */
  readNotice(request: RawRequest): IssuerNotice | undefined
  /** Response in the issuer's format to an `IssuerNotice` of kind `decide`. */
  answer(decision: AuthorizationDecision): RawReply
  /** Response that acknowledges a notice. */
  acknowledge(): RawReply
  /** Returns the issuer's frame with a card's secrets, for one browser, once, for a minute. `origin` may embed it. */
  reveal(call: RevealCall): Promise<RevealFrame>
  /** Returns a 3-D Secure challenge whose code we deliver for the issuer; undefined once used or expired. */
  challenge(ref: string): Promise<IssuerChallenge | undefined>
  /** The issuer's book: every transaction in [from, to) by the issuer's clock, oldest first. */
  book(from: Date, to: Date): AsyncIterable<IssuerTransaction>
}

export interface IssuerSupports {
  /** The issuer sends 3-D Secure codes to the holder itself (`itself`) or hands them to us (`ours`). */
  readonly challenges: 'itself' | 'ours'
  readonly disputes: boolean
  /** Partial approvals are possible. */
  readonly partial: boolean
  /** Has a frame URL that shows a card to the operator of a task, without a script in the page. */
  readonly frame: boolean
  /** A card's billing address can differ from its holder's. */
  readonly billing: boolean
}

/** A definite refusal: the issuer changed nothing, and a retry gets the same result. `refused`: the issuer's own short code. */
export class IssuerRefusal extends SupplierError {
  readonly refused: string
  constructor(refused: string, reason: OpenReason = 'declined') {
    super('rejected', { reason, detail: refused })
    this.name = 'IssuerRefusal'
    this.refused = refused
  }
}

export type IssuerConfig = Readonly<Record<string, unknown>>

/** Dependencies that an adapter may use. */
export interface IssuerTools extends SupplierTools {
  /** Webhook URL of this issuer. */
  readonly noticeUrl: () => string
  /** Keys of this installation for a purpose: the current one, then former ones. */
  readonly secrets: (purpose: string) => readonly [Buffer, ...Buffer[]]
}

/** Entry point of a vendor's folder: its environment variables, and the issuer once they are set. */
export interface IssuerVendor extends SupplierVendor<Issuer, IssuerTools> {
  readonly env: ConfigShape
  /** Card programme of its cards. */
  readonly platform: CardPlatform
  /** Hosts that its frame or script needs in the pages' content security policy. */
  readonly pages?: (config: IssuerConfig) => Promise<PageSources>
  /** Simulated company; sandboxes only. */
  readonly outside?: IssuerSandbox
}

export interface IssuerSandbox {
  /** Starts the company in its own process; resolves to a function that stops it. */
  start(config: IssuerConfig, tools: IssuerTools): Promise<() => Promise<void>>
  /** URL of its shop, for a browser that reaches the platform at `origin`. */
  shop(config: IssuerConfig, origin: string): Promise<string>
  panel(config: IssuerConfig, tools: IssuerTools): Promise<SandboxPanel>
  /** Has merchants charge a card, so that a demo has bills. */
  play(config: IssuerConfig, tools: IssuerTools, cardRef: string): Promise<void>
}
