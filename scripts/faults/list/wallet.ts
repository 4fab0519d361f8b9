import type { InjectedFault } from '../fault.ts'

const LEDGER = 'apps/server/migrations/0002_wallet.sql'
const MODEL = 'features/wallet/server/ledger/ledger-model.db.test.ts'
const RACES = 'features/wallet/server/ledger/ledger-races.db.test.ts'

export const walletFaults: readonly InjectedFault[] = [
  {
    id: 'refund-fills-the-wrong-lot',
    feature: 'wallet',
    file: LEDGER,
    find: 'sum(amount) over (order by place desc) - amount as before from taken',
    put: 'sum(amount) over (order by place) - amount as before from taken',
    harm: 'part of a refund of a payment from two lots comes back as granted credit, which cannot be withdrawn',
    tests: [MODEL, 'features/wallet/server/wallet.db.test.ts'],
  },
  {
    id: 'batch-empties-one-hold-twice',
    feature: 'wallet',
    file: LEDGER,
    find: 's.uncaptured - sum(s.amount) over (partition by s.hold_id order by s.n) + s.amount',
    put: 's.uncaptured - sum(s.amount) over (partition by s.n order by s.n) + s.amount',
    harm: 'two calls of one lease in one batch are both paid from the same rest of it: the whole batch of charges is refused',
    tests: [MODEL],
  },
  {
    id: 'second-refund-forgets-the-first',
    feature: 'wallet',
    file: LEDGER,
    find: '(u.undoes = p_undoes or u.transfer_id in (select id from wallet_transfers where transaction_id = p_undoes))',
    put: 'u.transfer_id in (select id from wallet_transfers where transaction_id = p_undoes)',
    harm: 'refunds of one payment together give back more than it took',
    tests: [MODEL],
  },
  {
    id: 'only-the-first-leg-repays',
    feature: 'wallet',
    file: LEDGER,
    find: 'for i in 0 .. jsonb_array_length(p_legs) - 1 loop',
    put: 'for i in 0 .. 0 loop',
    harm: 'who owes dollars exchanges yuan for them, and spends them',
    tests: [MODEL],
  },
  {
    id: 'locks-in-any-order',
    feature: 'wallet',
    file: LEDGER,
    find: "  order by owner = 'system', kind not in ('customer', 'card'), kind = 'card', id for no key update;",
    put: '  order by id for no key update;',
    harm: 'postings and captures wait for each other in a ring: payments fail under load',
    tests: [RACES],
  },
  {
    id: 'hold-read-without-its-lock',
    feature: 'wallet',
    file: LEDGER,
    find: '  perform wallet_lock(array[p_account]);\n  select * into v_hold from wallet_holds where account_id = p_account and id = p_hold;',
    put: '  select * into v_hold from wallet_holds where account_id = p_account and id = p_hold;',
    harm: 'two who close one hold at once: an error for one of them instead of its refusal, or money freed twice',
    tests: [RACES],
  },
  {
    id: 'chain-of-hashes-not-checked',
    feature: 'wallet',
    file: LEDGER,
    find: "t.kind, t.ref)) then 'its hash does not follow'",
    put: "t.kind, t.ref)) and e.seq = a.entry_count then 'its hash does not follow'",
    harm: 'an old row of the journal is rewritten, and the verifier finds nothing',
    tests: ['features/wallet/server/ledger/ledger-tamper.db.test.ts'],
  },
]
