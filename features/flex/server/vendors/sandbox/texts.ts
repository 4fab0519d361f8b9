/** The sandbox supplier's chat page. */
export const shareTexts = {
  zh: {
    sandbox: '沙盒',
    title: '共享对话',
    voice: '语音',
    used: '3 小时内已发 {used} 条，共 {allowed} 条',
    send: '发一条消息',
    full: '这 3 小时的消息发完了。',
    over: '这个地址已失效',
    overAbout: '请回到共享订阅页重新进入。',
  },
  en: {
    sandbox: 'Sandbox',
    title: 'Shared chat',
    voice: 'Voice',
    used: '{used} of {allowed} messages sent in three hours',
    send: 'Send a message',
    full: 'The messages of these three hours are used up.',
    over: 'This address is not good any more',
    overAbout: 'Go back to shared subscriptions and enter again.',
  },
}
