/** A mistake that customers met once, put back, and where the robots find it. */
export interface PlantedFault {
  readonly id: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly put: string
  /** Further edits that belong to the same mistake. */
  readonly also?: readonly Pick<PlantedFault, 'file' | 'find' | 'put'>[]
  readonly harm: string
  /** The invariant that must break. */
  readonly rule: string
  /** Which of the robots meet it. */
  readonly args: readonly string[]
}

const PAGES = ['--people', '1', '--pages', '100']

export const planted: readonly PlantedFault[] = [
  {
    id: 'another-billing-address',
    file: 'features/cards/server/cards/view.ts',
    find: "billingAddress: card.address_known ? { ...address, line2: address.line2 ?? '' } : null,",
    put: "billingAddress: { ...address, line1: '1209 N Orange St', line2: '', city: 'Wilmington', state: 'DE', postalCode: '19801', country: 'US' },",
    harm: 'shops decline who types what the card page shows',
    rule: 'the billing address on the page is the issuer',
    args: ['--seed', '2', '--people', '1', '--from', '2', '--do', 'open a card', '--pages', '0'],
  },
  {
    id: 'withdrawal-page-without-its-text',
    file: 'features/payments/web/withdraw/withdrawal-page.tsx',
    find: "state === 'paid' ? arrived : t(WITHDRAWAL_ABOUT_TEXT[state], figures)",
    put: 't(WITHDRAWAL_ABOUT_TEXT[state as keyof typeof WITHDRAWAL_ABOUT_TEXT], figures)',
    harm: 'the page of a withdrawal that arrived crashes, where mails and "see progress" lead',
    rule: 'no error',
    args: [...PAGES, '--seed', '5', '--from', '2', '--do', 'top up,withdraw,look at money pages'],
  },
  {
    id: 'fees-rounded-down',
    file: 'platform/shared/money.ts',
    find: 'return divideUp(amount * rate, 100n * NANO_PER_USD * NANO_PER_CENT) * NANO_PER_CENT',
    put: 'return ((amount * rate) / (100n * NANO_PER_USD * NANO_PER_CENT)) * NANO_PER_CENT',
    harm: 'each order costs us up to a cent that the price page says is charged',
    rule: 'the order',
    args: ['--seed', '5', '--people', '4', '--do', 'top up,top up,top up,top up,top up,top up', '--pages', '0'],
  },
  {
    id: 'deleted-keys-go-on',
    file: 'features/gateway/server/keys/data.ts',
    find: "'update gateway_keys set deleted_at = now() where key_id = $1 and deleted_at is null'",
    put: "'update gateway_keys set deleted_at = now() where key_id = $1 and deleted_at is not null'",
    harm: 'a key that its owner deleted goes on spending',
    rule: 'a deleted key is refused within a second',
    args: ['--seed', '5', '--people', '1', '--do', 'top up,make a key,delete a key', '--pages', '0'],
  },
  {
    id: 'held-money-shown-as-free',
    file: 'features/wallet/server/verbs/balance.ts',
    find: 'const available = minus(posted, held)',
    put: 'const available = posted',
    harm: 'pages offer money that a withdrawal has already promised',
    rule: 'balance = available + held',
    args: ['--seed', '5', '--people', '1', '--from', '2', '--do', 'top up,withdraw,look at statements', '--pages', '0'],
  },
]
