import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { fakeStripe } from './fake/index.ts'

const notifyUrl = () => 'http://127.0.0.1:1'
const STRIPE = { tradeFrom: 'QRCODE', transactionType: 5, turnsRefunds: true, declines: true } as const

defineChannelSuite('stripe, in dollars', ({ now }) => fakeStripe({ now, notifyUrl }), STRIPE)
defineChannelSuite('stripe, in yuan', ({ now }) => fakeStripe({ now, notifyUrl, currency: 'cny' }), { ...STRIPE, variant: true })
