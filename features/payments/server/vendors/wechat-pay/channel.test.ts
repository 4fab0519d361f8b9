import { channelSuite } from '../../testing/channel-suite.ts'
import { fakeWechatPay } from './fake/index.ts'

const WECHAT = { tradeFrom: 'QRCODE', transactionType: 2, turnsRefunds: true, declines: true } as const

channelSuite('wechat-pay, public keys', ({ now }) => fakeWechatPay({ now }), WECHAT)
channelSuite('wechat-pay, certificates', ({ now }) => fakeWechatPay({ now, mode: 'certificate' }), { ...WECHAT, fetchesKeys: true, variant: true })
