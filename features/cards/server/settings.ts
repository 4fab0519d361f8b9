import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const dollars = z.string().regex(/^\d{1,7}(\.\d{1,2})?$/)
const percent = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/)

export const cardPrices = setting(
  'cards.prices',
  z.object({ openAccount: dollars, multipleCard: dollars, proCard: dollars, riskChange: dollars, unfreeze: dollars, deposit: dollars, activation: dollars }),
  {
    fallback: { openAccount: '11.99', multipleCard: '9.99', proCard: '19.99', riskChange: '9.90', unfreeze: '1.00', deposit: '3.00', activation: '1.00' },
    about:
      'Dollars for the first standard card with its membership, a further card, a Pro card, a replacement after a risk change, thawing what risk rules froze, the deposit that stands in for the face check, and what the first recharge costs',
  },
)

export type CardPrices = z.output<typeof cardPrices.schema>

export const cardYears = setting(
  'cards.years',
  z.object({ standard: z.int().min(1).max(10), pro: z.int().min(1).max(10), membership: z.int().min(1).max(10) }),
  { fallback: { standard: 2, pro: 4, membership: 2 }, about: 'Years that a standard card, a Pro card and a membership are valid' },
)

export const rechargeLimits = setting(
  'cards.recharge',
  z.object({
    first: dollars,
    min: dollars,
    minRegion: dollars,
    max: dollars,
    maxIdentified: dollars,
    presets: z.array(dollars).min(1).max(12),
    presetsRegion: z.array(dollars).min(1).max(12),
    channelMinimum: z.record(z.string(), dollars),
    channelMonth: z.record(z.string(), dollars),
  }),
  {
    fallback: {
      first: '25',
      min: '5',
      minRegion: '20',
      max: '60',
      maxIdentified: '200',
      presets: ['5', '10', '20', '25', '40', '60'],
      presetsRegion: ['20', '40', '60', '80', '100', '120'],
      channelMinimum: { 10: '20' },
      channelMonth: { 10: '1000' },
    },
    about:
      'Dollars of a card recharge: what a first one leaves on the card after the activation fee, the least of later ones (and for users of Hong Kong and Macao), the most, the most once identified, the presets, and by channel number (10 is NEW_ALL_PAY) the least and what a month allows',
  },
)

export type RechargeLimits = z.output<typeof rechargeLimits.schema>

export const spendingLimits = setting('cards.spending', z.object({ month: dollars, monthIdentified: dollars, issuer: dollars, house: dollars }), {
  fallback: { month: '100', monthIdentified: '3000', issuer: '50000', house: '50' },
  about: 'Dollars that a card may spend in a month without and with real name, the issuer’s own ceiling, and the debt of a card at which it is stopped',
})

export const cardFees = setting('cards.fees', z.object({ abroadPercent: percent, home: z.string().length(2), refundPercent: percent, reversal: dollars }), {
  fallback: { abroadPercent: '1', home: 'US', refundPercent: '2', reversal: '1.00' },
  about:
    'Percent of purchases outside the home country, that country, percent of refunds, dollars for the reversal of a whole authorisation that the merchant sends',
})

export const angels = setting('cards.angels', z.object({ percent, users: z.array(z.string()).max(10_000) }), {
  fallback: { percent: '2', users: [] },
  about: 'Angel users by id, and the percent that they pay on a card’s recharge over a channel that takes more',
})

export const flagged = setting('cards.flagged', z.object({ max: dollars, users: z.array(z.string()).max(10_000) }), {
  fallback: { max: '100', users: [] },
  about: 'Flagged accounts by id, and the most dollars of one card recharge of theirs, identified or not',
})

export const keepOnCard = setting('cards.keep', dollars, { fallback: '1', about: 'Dollars that a withdrawal leaves on a card' })

export const closingRules = setting(
  'cards.closing',
  z.object({ inRow: z.int().min(2), warnAt: z.int().min(1), rate: z.number().min(0.01).max(1), from: z.int().min(1), days: z.int().min(1) }),
  {
    fallback: { inRow: 10, warnAt: 3, rate: 0.2, from: 20, days: 30 },
    about:
      'A card is closed after so many charges refused for want of balance in a row, or above this share of refused ones in so many days from so many on; `warnAt` mails before',
  },
)

export const maxCards = setting('cards.max', z.int().min(1).max(50), { fallback: 5, about: 'Cards that one user may have at once' })

export const openingPaused = setting('cards.opening_paused', z.object({ paused: z.boolean(), until: z.string() }), {
  fallback: { paused: false, until: '' },
  about: 'Pauses the opening of cards (the issuer’s balance is used up); `until` is an ISO time, empty when unknown',
})

export const cardTypes = setting(
  'cards.types',
  z.object({
    standard: z.object({ goodFor: z.array(z.string()), notFor: z.array(z.string()) }),
    pro: z.object({ goodFor: z.array(z.string()), notFor: z.array(z.string()) }),
    merchants: z.record(z.string(), z.array(z.string())),
  }),
  {
    fallback: {
      standard: { goodFor: ['chatgpt', 'claude', 'midjourney', 'cursor'], notFor: ['netflix', 'spotify', 'disney'] },
      pro: { goodFor: ['netflix', 'spotify', 'disney', 'midjourney', 'cursor'], notFor: ['chatgpt'] },
      merchants: { chatgpt: ['OPENAI'], netflix: ['NETFLIX'], spotify: ['SPOTIFY'], disney: ['DISNEY'] },
    },
    about: 'What each type of card pays for well, and what it refuses; `merchants` are the beginnings of the names that a service is known by on a statement',
  },
)

export const blockedMerchants = setting('cards.blocked_merchants', z.array(z.string().regex(/^\d{4}$/)), {
  fallback: ['7995', '6051', '4829', '6010', '6011'],
  about: 'Merchant category codes that no card pays: gambling, quasi cash, money transfer, cash',
})

export const billingAddress = setting(
  'cards.billing_address',
  z.object({
    line1: z.string(),
    line2: z.string(),
    city: z.string(),
    state: z.string(),
    postalCode: z.string(),
    country: z.string().length(2),
    agreed: z.boolean().default(false),
  }),
  {
    fallback: { line1: '1209 N Orange St', line2: '', city: 'Wilmington', state: 'DE', postalCode: '19801', country: 'US', agreed: false },
    about:
      'The programme’s own billing address for new cards, used only where `agreed` says that the issuer agreed to it and the issuer takes one beside the holder’s; otherwise cards have their holder’s address',
  },
)

export const expiringDays = setting('cards.expiring_days', z.int().min(1).max(180), {
  fallback: 30,
  about: 'Days before a card’s last one from which its user is notified',
})

export const changeDays = setting('cards.change_days', z.int().min(0).max(365), { fallback: 30, about: 'Days between two changes of a card that cost nothing' })

export const freeRequests = setting('cards.free_requests', z.object({ perDay: z.int().min(0).max(100_000), most: dollars }), {
  fallback: { perDay: 0, most: '1.00' },
  about:
    'Calls of the API that a member has free each day (0: none), and the most dollars that they may be worth: charged like any other, and given back as credit within minutes',
})

export const cardSettings = [
  cardPrices,
  cardYears,
  rechargeLimits,
  spendingLimits,
  cardFees,
  angels,
  flagged,
  keepOnCard,
  closingRules,
  maxCards,
  openingPaused,
  cardTypes,
  blockedMerchants,
  billingAddress,
  expiringDays,
  changeDays,
  freeRequests,
]
