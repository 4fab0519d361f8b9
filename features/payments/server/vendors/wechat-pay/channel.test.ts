import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { fakeWechatPay } from './fake/index.ts'

const WECHAT = { tradeFrom: 'QRCODE', transactionType: 2, turnsRefunds: true, declines: true } as const

defineChannelSuite('wechat-pay, public keys', ({ now }) => fakeWechatPay({ now }), WECHAT)
defineChannelSuite('wechat-pay, certificates', ({ now }) => fakeWechatPay({ now, mode: 'certificate' }), { ...WECHAT, fetchesKeys: true, variant: true })
