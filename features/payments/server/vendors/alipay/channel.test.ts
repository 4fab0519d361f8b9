import { channelSuite } from '../../testing/channel-suite.ts'
import { fakeAlipay } from './fake/index.ts'

const ALIPAY = { tradeFrom: 'QRCODE', transactionType: 1, breaks: 2, plainStatement: true } as const

channelSuite('alipay, a code', ({ now }) => fakeAlipay({ now, desktop: 'qr', mobile: 'form' }), ALIPAY)
channelSuite('alipay, a page', ({ now }) => fakeAlipay({ now }), { ...ALIPAY, opensAlone: true, variant: true })
