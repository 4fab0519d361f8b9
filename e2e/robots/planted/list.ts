/** A past mistake that customers met, reintroduced, with the robots that must find it. */
export interface PlantedMistake {
  readonly id: string
  readonly file: string
  /** Text to replace; occurs exactly once in the file. */
  readonly find: string
  readonly put: string
  /** Further edits that belong to the same mistake. */
  readonly also?: readonly Pick<PlantedMistake, 'file' | 'find' | 'put'>[]
  readonly harm: string
  /** The invariant that must break. */
  readonly rule: string
  /** Arguments for the robots that trigger the mistake. */
  readonly args: readonly string[]
}

/** One person whose papers and address every issuer accepts. */
const PERSON = ['--seed', '7', '--people', '1', '--from', '8']
/** The same person buys something of every kind, and loads the card through a channel and from the balance. */
const BUYING = [
  ...[...PERSON, '--pages', '0', '--do'],
  'top up,top up,open a card,load a card,load a card,load a card,load a card,take a number,buy numbers,take a mailbox,use the proxy,have an account registered,use the remote browser,subscribe,withdraw',
] as const

export const PLANTED_MISTAKES: readonly PlantedMistake[] = [
  {
    id: 'another-billing-address',
    file: 'features/cards/server/views/card-view.ts',
    find: "billingAddress: card.addressKnown ? { ...address, line2: address.line2 ?? '' } : null,",
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
    args: ['--people', '1', '--pages', '100', '--seed', '5', '--from', '2', '--do', 'top up,withdraw,look at money pages'],
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
    harm: 'a key that its owner deleted keeps spending',
    rule: 'a deleted key is refused within a second',
    args: ['--seed', '5', '--people', '1', '--do', 'top up,make a key,delete a key', '--pages', '0'],
  },
  {
    id: 'held-money-shown-as-free',
    file: 'features/wallet/server/verbs/balance.ts',
    find: 'const available = subtractNano(posted, held)',
    put: 'const available = posted',
    harm: 'pages offer money that a withdrawal has already promised',
    rule: 'balance = available + held',
    args: ['--seed', '5', '--people', '1', '--from', '2', '--do', 'top up,withdraw,look at statements', '--pages', '0'],
  },
  {
    id: 'a-refused-card-is-asked-for-without-end',
    file: 'features/cards/server/opening/open-card.ts',
    find: "if (failed.kind !== 'rejected' || !isAnswered) return postpone(deps, card, failed, isAnswered)",
    put: 'if (failed) return postpone(deps, card, failed, isAnswered)',
    also: [
      {
        file: 'features/cards/server/opening/choose-issuer.ts',
        find: "return holder ? issuer.refuses?.(await buildHolderCall(deps, issuer, { key: '', holder })) : 'data_missing'",
        put: "return holder ? undefined : 'data_missing'",
      },
      { file: 'features/cards/server/opening/open-card.ts', find: 'if (plan.isOver) return settle', put: 'if (plan.isOver && !plan) return settle' },
      {
        file: 'features/cards/server/vendors/sandbox/client.ts',
        find: 'return { ...address, ...(line2 ? { line2 } : {}) }',
        put: "return { ...address, line2: line2 ?? '' }",
      },
    ],
    harm: 'a card that is paid for is never made, and the money never comes back',
    rule: 'everything paid is delivered or returned',
    args: [...PERSON, '--do', 'open a card', '--pages', '0'],
  },
  {
    id: 'purchases-as-top-ups',
    file: 'features/wallet/server/funds/ledger.ts',
    find: 'const { id, ref, amount } = movement',
    put: `const { id, ref } = movement
  const amount = /^(order\\.balance|service\\.charged|card\\.recharge)$/.test(movement.kind) ? subtractNano(0n, movement.amount) : movement.amount`,
    also: [
      {
        file: 'features/wallet/server/funds/ledger.ts',
        find: 'const category = findFundsCategory(kind, amount)',
        put: "const category = amount === movement.amount ? findFundsCategory(kind, amount) : 'topup'",
      },
    ],
    harm: 'money that was spent stands as money that came in',
    rule: 'purchases are not shown as income',
    args: [...BUYING],
  },
  {
    id: 'every-order-a-recharge',
    file: 'features/payments/words.ts',
    find: '=> (orderType === ORDER_TYPE.OPENAI_API ? 1 : 3)',
    put: '=> (orderType === ORDER_TYPE.OPENAI_API ? 1 : 1)',
    harm: 'the record calls every purchase a recharge',
    rule: 'purchases are not shown as recharges',
    args: [...BUYING],
  },
  {
    id: 'own-transfers-taken-back',
    file: 'features/wallet/server/funds/read-funds.ts',
    find: 'chargeback: subtractNano(0n, of(isBack)),',
    put: "chargeback: subtractNano(0n, of((kind, category) => isBack(kind) || category === 'card' || category === 'withdraw')),",
    also: [{ file: 'features/wallet/server/funds/read-funds.ts', find: 'const out = addNano(all.card, all.withdraw)', put: 'const out = 0n' }],
    harm: 'the overview calls what a person moved to the own card taken back',
    rule: 'taken back means a chargeback',
    args: [...BUYING],
  },
  {
    id: 'this-month-counts-calls-alone',
    file: 'features/wallet/server/funds/read-funds.ts',
    find: 'monthSpent: formatUsd(thisMonth.spent),',
    put: 'monthSpent: formatUsd(await usedIn(firstDay)),',
    harm: 'beside all spending stands a month that leaves out cards and services',
    rule: 'this month counts the same kinds as all time',
    args: [...BUYING],
  },
  {
    id: 'paid-shows-the-next-price',
    file: 'features/cards/web/opening/payment-step.tsx',
    find: 'displayUsd(price.paid?.total ?? price.total)',
    put: 'displayUsd(price.total)',
    harm: 'after paying 14.99 the page says that 9.99 was paid',
    rule: 'what the page says was paid was paid',
    args: [...PERSON, '--pages', '100', '--do', 'top up,open a card on pages'],
  },
  {
    id: 'no-choice-of-pro',
    file: 'features/cards/web/opening/opening-page.tsx',
    find: "{step === 'notice' || (step === 'payment' && isChoosing) ? <TypeChoice",
    put: "{step === 'notice' && !step ? <TypeChoice",
    harm: 'the Pro card of the price table can be bought only by typing its address',
    rule: 'what is advertised is reached by links',
    args: [...PERSON, '--pages', '100', '--do', 'top up,open a card on pages'],
  },
  {
    id: 'face-check-at-another-address',
    file: 'features/identity/server/face/vendors/sandbox/index.ts',
    find: 'new URL(`/sandbox/face/${ref}`, returnUrl).href',
    put: "new URL(`/sandbox/face/${ref}`, returnUrl.replace('//localhost', '//127.0.0.1')).href",
    harm: 'the button of the face check is dead',
    rule: 'one address',
    args: [...PERSON, '--do', 'open a card', '--pages', '0'],
  },
]
