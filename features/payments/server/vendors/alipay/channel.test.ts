import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { startAlipay } from '#stand-ins/alipay/index.ts'

const ALIPAY = { tradeFrom: 'QRCODE', transactionType: 1, breaks: 2, plainStatement: true } as const

defineChannelSuite('alipay, a code', ({ now }) => startAlipay({ now, desktop: 'qr', mobile: 'form' }), ALIPAY)
defineChannelSuite('alipay, a page', ({ now }) => startAlipay({ now }), { ...ALIPAY, opensAlone: true, variant: true })
