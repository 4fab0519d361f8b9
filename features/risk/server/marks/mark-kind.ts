/**
 * What two accounts of one person have in common. `payer`: the channel's own id of who paid (an Alipay buyer, a WeChat openid, a card's
 * fingerprint). `payout`: the account that money leaves to. `person`: the number on the papers. `device`: the name that a browser was
 * given. `place`: network and browser of a sign-in. `mailbox`: the mailbox behind the spellings of an address. `network`: of a sign-in.
 * `keys`: the network that API keys are used from, which meets the same network under either name.
 */
export type MarkKind = 'mailbox' | 'payer' | 'payout' | 'person' | 'device' | 'place' | 'network' | 'keys'
