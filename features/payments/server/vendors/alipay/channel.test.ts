import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { fakeAlipay } from './fake/index.ts'

const ALIPAY = { tradeFrom: 'QRCODE', transactionType: 1, breaks: 2, plainStatement: true } as const

defineChannelSuite('alipay, a code', ({ now }) => fakeAlipay({ now, desktop: 'qr', mobile: 'form' }), ALIPAY)
defineChannelSuite('alipay, a page', ({ now }) => fakeAlipay({ now }), { ...ALIPAY, opensAlone: true, variant: true })
