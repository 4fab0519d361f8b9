import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { startStripePayments } from '#stand-ins/stripe/payments/index.ts'

const notifyUrl = () => 'http://127.0.0.1:1'
const STRIPE = { tradeFrom: 'QRCODE', transactionType: 5, turnsRefunds: true, declines: true } as const

defineChannelSuite('stripe, in dollars', ({ now }) => startStripePayments({ now, notifyUrl }), STRIPE)
defineChannelSuite('stripe, in yuan', ({ now }) => startStripePayments({ now, notifyUrl, currency: 'cny' }), { ...STRIPE, variant: true })
