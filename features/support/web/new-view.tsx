import { Search, X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Field, FieldNote } from '#ui/fields/field.tsx'
import { Leader } from '#ui/receipt.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { cleanText, TOPICS, replyEmail, TEXT_MAX } from '../contract.ts'
import type { Topic } from '../contract.ts'
import { supportPageTexts } from '../texts.ts'
import { RemainingCount, countMessageLength } from './thread/composer.tsx'
import { DeskCard } from './desk-card.tsx'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { applyUpdate, setView } from './chat-store.ts'
import { storeDraft, readDraft } from './thread/outbox.ts'
import { supportChatApi } from './support-api.ts'
import { storeVisitor, readVisitor } from './visitor-token.ts'

const DRAFT = 'new'
const MAIL = 'mail'

/** Draft and submit handler of the first message of a conversation; the draft is stored while it is typed. */
function useNewForm(wish: string | undefined, orderNo: string | undefined) {
  const t = useTexts(supportPageTexts)
  const signedIn = useSignedIn()
  const [topic, setTopic] = useState<Topic>(TOPICS.find((one) => one === wish) ?? (orderNo ? 'recharge' : 'general'))
  const [order, setOrder] = useState(orderNo)
  const [email, setEmail] = useState(() => readDraft(MAIL))
  const [text, setText] = useState(() => readDraft(DRAFT))
  const [wrong, setWrong] = useState<{ readonly email?: string; readonly text?: string; readonly call?: string }>({})
  const [sending, setSending] = useState(false)
  // A retry with the same text reuses the id, so that the conversation starts once even if the reply was lost.
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

const TOPIC_TEXT = { recharge: 'topic_recharge', api: 'topic_api', account: 'topic_account', general: 'topic_general' } as const

interface NewViewProps {
  readonly topic: string | undefined
  readonly orderNo: string | undefined
}

/** Form for the first message of a conversation; visitors add an email address for the reply. */
export function NewView({ topic: wish, orderNo }: NewViewProps) {
  const t = useTexts(supportPageTexts)
  const { form, signedIn, topic, setTopic, order, forgetOrder, email, writeEmail, text, write, over, wrong, sending, submit } = useNewForm(wish, orderNo)
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex min-h-0 flex-1 flex-col">
      <div className="grid min-h-0 flex-1 content-start gap-5 overflow-y-auto overscroll-contain px-5 py-5">
        <DeskCard />
        {signedIn ? null : (
          <TextField
            label={t('email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="off"
            hint={t('email_hint')}
            error={wrong.email}
            value={email}
            readOnly={sending}
            onChange={(event) => writeEmail(event.target.value)}
          />
        )}
        <div>
          <p className="mb-1.5 text-14 font-medium" id="support-topic">
            {t('topic')}
          </p>
          <Segmented label={t('topic')} value={topic} onChange={setTopic} items={TOPICS.map((value) => ({ value, label: t(TOPIC_TEXT[value]) }))} />
        </div>
        {order ? (
          <div className="receipt-row receipt-inline items-center border-y border-dashed border-line py-1 text-14">
            <span className="text-fg-2">{t('order')}</span>
            <Leader />
            <span className="num whitespace-normal">{order}</span>
            <button type="button" className="icon-btn -mr-2" aria-label={t('order_remove')} title={t('order_remove')} onClick={forgetOrder}>
              <X size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </div>
        ) : null}
        <Field id="support-question" label={t('question')} error={wrong.text}>
          <textarea
            id="support-question"
            rows={4}
            value={text}
            readOnly={sending}
            placeholder={t('question_placeholder')}
            aria-invalid={wrong.text ? true : undefined}
            aria-describedby="support-question-note support-question-count"
            className="input resize-none"
            onChange={(event) => write(event.target.value)}
          />
          <RemainingCount id="support-question-count" over={over} />
          <HelpLink text={text} />
        </Field>
      </div>
      <div className="border-t border-dashed border-line px-5 py-4">
        <FieldNote id="support-start-note" error={wrong.call} />
        <Button type="submit" block size="lg" loading={sending} className={wrong.call ? 'mt-3' : ''}>
          {t('start')}
        </Button>
      </div>
    </form>
  )
}

/** Searches the help centre for the text so far, because many questions are answered there already. */
function HelpLink({ text }: { readonly text: string }) {
  const t = useTexts(supportPageTexts)
  const words = [...cleanText(text).replace(/\s+/g, ' ')].slice(0, 24).join('')
  if ([...words].length < 2) return null
  return (
    <a
      href={`/help?q=${encodeURIComponent(words)}`}
      target="_blank"
      rel="noopener"
      className="link mt-2 inline-flex min-h-6 items-start gap-1.5 text-13 mobile:min-h-11 mobile:items-center"
    >
      <Search size={14} strokeWidth={1.75} className="mt-[3px] shrink-0 mobile:mt-0" aria-hidden="true" />
      <span>{t('help_search', { words })}</span>
    </a>
  )
}
