import { useRef, useState, type FormEvent } from 'react'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { cleanText, replyEmail, TEXT_MAX, TOPICS } from '../contract.ts'
import type { Topic } from '../contract.ts'
import { supportPageTexts } from '../texts.ts'
import { applyUpdate, setView } from './chat-store.ts'
import { countMessageLength } from './thread/composer.tsx'
import { storeDraft, readDraft } from './thread/outbox.ts'
import { supportChatApi } from './support-api.ts'
import { storeVisitor, readVisitor } from './visitor-token.ts'

const DRAFT = 'new'
const MAIL = 'mail'

/** The first message of a conversation, kept while it is written, and its sending. */
export function useNewForm(wish: string | undefined, orderNo: string | undefined) {
  const t = useTexts(supportPageTexts)
  const signedIn = useSignedIn()
  const [topic, setTopic] = useState<Topic>(TOPICS.find((one) => one === wish) ?? (orderNo ? 'recharge' : 'general'))
  const [order, setOrder] = useState(orderNo)
  const [email, setEmail] = useState(() => readDraft(MAIL))
  const [text, setText] = useState(() => readDraft(DRAFT))
  const [wrong, setWrong] = useState<{ readonly email?: string; readonly text?: string; readonly call?: string }>({})
  const [sending, setSending] = useState(false)
  // The same words under the same id: pressed again after a lost reply, the conversation begins once.
  const attempt = useRef({ words: '', clientId: '' })
  const form = useRef<HTMLFormElement>(null)
  const over = countMessageLength(text) - TEXT_MAX

  const check = () => {
    const mail = email.trim()
    return {
      ...(signedIn || replyEmail.safeParse(mail).success ? {} : { email: t(mail ? 'email_invalid' : 'email_required') }),
      ...(cleanText(text) && over <= 0 ? {} : { text: over > 0 ? t('composer_over', { n: over }) : t('question_required') }),
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    const found = check()
    setWrong(found)
    if (found.email || found.text) {
      form.current?.querySelector<HTMLElement>(found.email ? 'input[type="email"]' : 'textarea')?.focus()
      return
    }
    const input = { text: cleanText(text), topic, ...(order ? { orderNo: order } : {}), ...(signedIn ? {} : { email: email.trim() }) }
    const words = JSON.stringify(input)
    if (attempt.current.words !== words) attempt.current = { words, clientId: createRandomKey() }
    setSending(true)
    try {
      const { visitorToken, ...news } = await supportChatApi.start({ ...input, clientId: attempt.current.clientId, ...readVisitor() })
      if (visitorToken) storeVisitor(visitorToken)
      storeDraft(DRAFT, '')
      applyUpdate(news)
      setView({ name: 'thread', id: news.conversation.id })
    } catch (error) {
      setWrong({ call: (error as Error).message })
      setSending(false)
    }
  }
  const write = (next: string) => {
    setText(next)
    storeDraft(DRAFT, next)
    setWrong(({ text: _, ...rest }) => rest)
  }
  const writeEmail = (next: string) => {
    setEmail(next)
    storeDraft(MAIL, next)
    setWrong(({ email: _, ...rest }) => rest)
  }
  return { form, signedIn, topic, setTopic, order, forgetOrder: () => setOrder(undefined), email, writeEmail, text, write, over, wrong, sending, submit }
}
