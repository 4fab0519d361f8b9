import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { fakeNihaopay } from './fake/index.ts'

defineChannelSuite('nihaopay, UnionPay', ({ now }) => fakeNihaopay({ now }), { tradeFrom: 'QRCODE', transactionType: 3, declines: true })
defineChannelSuite('nihaopay, AlipayHK on a phone', ({ now }) => fakeNihaopay({ now }), { tradeFrom: 'H5', transactionType: 4, declines: true, variant: true })
