import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { startNihaopay } from '#stand-ins/nihaopay/index.ts'

defineChannelSuite('nihaopay, UnionPay', ({ now }) => startNihaopay({ now }), { tradeFrom: 'QRCODE', transactionType: 3, declines: true })
defineChannelSuite('nihaopay, AlipayHK on a phone', ({ now }) => startNihaopay({ now }), { tradeFrom: 'H5', transactionType: 4, declines: true, variant: true })
