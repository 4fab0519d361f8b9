import { lazy, Suspense, useEffect, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { TextField } from '#ui/fields/text-field.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { isPaperSide, needsConfirmation, findRowReading, CHECK_ROWS, findWrongRows } from '../form.ts'
import type { CheckRowName } from '../form.ts'
import type { OpeningStepProps } from '../first-steps.tsx'
import { flowApi } from '../opening-api.ts'
import { CheckRows } from '../check-rows.tsx'
import { StepFrame } from '../step-frame.tsx'
import { openingTexts } from '../texts.ts'
import { UploadTile } from './upload-tile.tsx'
import { parsePaper, useOpeningPapers } from './use-papers.ts'
import type { PapersForm } from './use-papers.ts'
import { useSetOpeningFlow } from '../use-opening.ts'
import { CARDS_SIDE_TEXT } from '../state-texts.ts'

/** Loaded on demand: sample documents for a demo, and the step for a name that differs from the document. */
const SamplePapers = lazy(() => import('./sample-papers.tsx').then((m) => ({ default: m.SamplePapers })))
const Mismatch = lazy(() => import('../mismatch.tsx').then((m) => ({ default: m.NameMismatch })))
const PAPER_TEXT = { idcard: 'paper_idcard', passport: 'paper_passport' } as const
const FIELD_NUMBER_TEXT = { idcard: 'field_number_idcard', passport: 'field_number_passport' } as const
const FIELD_TEXT = {
  issuer: 'field_issuer',
  validUntil: 'field_validUntil',
  address: 'field_address',
  chineseName: 'field_chineseName',
  birthDate: 'field_birthDate',
  latin: 'field_latin',
  email: 'field_email',
} as const

/** Document step: the uploads first, then every field beside its part of the picture. */
export function PapersStep({ flow, onDone, onBack, needsEmail }: OpeningStepProps & { readonly needsEmail: boolean }) {
  const form = useOpeningPapers(flow)
  const complete =
    flow.needed[parsePaper(form.values)].every((side) => flow.files[side] && (form.sides[side]?.at ?? 'idle') === 'idle') && form.values['chineseName'] !== ''
  const [upload, setUpload] = useState(!complete)
  return upload ? (
    <Uploads flow={flow} form={form} onBack={onBack} onNext={() => setUpload(false)} />
  ) : (
    <Checking flow={flow} form={form} onDone={onDone} onBack={() => setUpload(true)} needsEmail={needsEmail} />
  )
}

function Uploads({ flow, form, onBack, onNext }: Pick<OpeningStepProps, 'flow' | 'onBack'> & { readonly form: PapersForm; readonly onNext: () => void }) {
  const t = useTexts(openingTexts)
  const { values, set, sides, choose } = form
  const paper = parsePaper(values)
  const [pressed, setPressed] = useState(false)
  const nameWrong = !/^\p{Script=Han}[\p{Script=Han}·]{0,28}\p{Script=Han}$/u.test(values['chineseName'] ?? '')
  const missing = flow.needed[paper].filter((side) => !flow.files[side] || ['wrong', 'uploading', 'reading'].includes(sides[side]?.at ?? ''))
  const next = () => {
    setPressed(true)
    if (nameWrong) return document.getElementById('opening-name')?.focus()
    if (!missing.length) onNext()
  }
  const what = missing.map((side) => t(CARDS_SIDE_TEXT[side])).join(' · ')
  const setFlow = useSetOpeningFlow()
  const { run, isRunning, failure } = useSubmit()
  const toDeposit = () =>
    void run(async () => {
      setFlow(await flowApi.chooseMethod({ method: 'deposit' }))
      set({ paper: 'passport' })
    })
  return (
    <StepFrame
      title={t('papers_title')}
      lead={t('papers_lead')}
      next={{ text: t('papers_next'), onPress: next }}
      note={pressed && !nameWrong && what ? t('papers_missing', { what }) : undefined}
      failure={failure}
      onBack={onBack}
    >
      <div className="grid max-w-[600px] gap-5">
        {flow.method === 'deposit' ? (
          <div>
            <p className="mb-1.5 text-14 font-medium">{t('paper')}</p>
            <Segmented
              label={t('paper')}
              value={paper}
              onChange={(value) => set({ paper: value })}
              items={(['idcard', 'passport'] as const).map((value) => ({ value, label: t(PAPER_TEXT[value]) }))}
            />
          </div>
        ) : flow.methods.includes('deposit') ? (
          <p className="text-14 text-fg-2">
            {t('paper_face')}{' '}
            <button type="button" className="link min-h-8" disabled={isRunning} onClick={toDeposit}>
              {t('paper_toDeposit')}
            </button>
          </p>
        ) : null}
        <TextField
          id="opening-name"
          label={t('name')}
          hint={t('nameHint')}
          error={pressed && nameWrong ? t('nameRequired') : undefined}
          value={values['chineseName'] ?? ''}
          onChange={(event) => set({ chineseName: event.target.value.trim() }, 'chineseName')}
          autoComplete="off"
          maxLength={30}
        />
        {flow.samples ? (
          <Suspense fallback={null}>
            <SamplePapers sides={flow.needed[paper]} form={form} />
          </Suspense>
        ) : null}
        <div className="grid grid-cols-2 gap-5 mobile:grid-cols-1">
          {flow.needed[paper].map((side) => (
            <UploadTile key={side} side={side} file={flow.files[side]} state={sides[side] ?? { at: 'idle' }} onFile={(file) => choose(side, file)} />
          ))}
        </div>
      </div>
    </StepFrame>
  )
}

function Checking({
  flow,
  form,
  onDone,
  onBack,
  needsEmail,
}: Pick<OpeningStepProps, 'flow' | 'onDone'> & { readonly form: PapersForm; readonly onBack: () => void; readonly needsEmail: boolean }) {
  const t = useTexts(openingTexts)
  const mobile = useIsMobile()
  const setFlow = useSetOpeningFlow()
  const { run, isRunning, failure } = useSubmit()
  const [pressed, setPressed] = useState(false)
  const [focused, setFocused] = useState<CheckRowName>()
  const { values, confirmed, set, sides, choose } = form
  usePinyin(form)
  const wrong = findWrongRows(values, needsEmail)
  const open = CHECK_ROWS.filter(
    (row) => wrong.includes(row) || (needsConfirmation(findRowReading(flow, row), row, values) && !confirmed.has(findRowReading(flow, row)!.name)),
  )
  const label = (row: CheckRowName) => t(row === 'number' ? FIELD_NUMBER_TEXT[parsePaper(values)] : row === 'place' ? 'field_postalCode' : FIELD_TEXT[row])
  const submit = () => {
    setPressed(true)
    const [first] = open
    if (first) return document.querySelector<HTMLElement>(`#row-${first} :is(input, textarea)`)?.focus()
    void run(async () => {
      await form.flush()
      setFlow(await flowApi.accountCreate(buildPayload(form, flow)))
      onDone()
    }).catch(() => undefined)
  }
  const note =
    !pressed || !open.length
      ? undefined
      : open.length === 1
        ? t('openOne', { what: label(open[0]!) })
        : t('openMany', { count: open.length, what: open.slice(0, 3).map(label).join(' · ') })
  const name = findRowReading(flow, 'chineseName')
  const differs = (name?.sure ?? false) && name!.value !== values['chineseName']
  const mark = focused ? findRowReading(flow, focused) : undefined
  return (
    <StepFrame
      title={t('check_title')}
      lead={t(mobile ? 'check_lead_mobile' : 'check_lead')}
      aside={
        <div className="flex shrink-0 gap-3 mobile:hidden">
          {flow.needed[parsePaper(values)].filter(isPaperSide).map((side) => (
            <UploadTile
              key={side}
              small
              side={side}
              file={flow.files[side]}
              state={sides[side] ?? { at: 'idle' }}
              onFile={(file) => choose(side, file)}
              mark={mark?.box && flow.readings.some((one) => one.purpose === side && one.fields.includes(mark)) ? mark.box : undefined}
            />
          ))}
        </div>
      }
      next={{ text: t(flow.method === 'deposit' ? 'check_next_pay' : 'check_next_face'), onPress: submit, busy: isRunning }}
      note={note}
      onBack={onBack}
      failure={isApiError(failure) && failure.errorName === 'NAME_MISMATCH' ? undefined : failure}
    >
      {differs ? (
        <Suspense fallback={null}>
          <Mismatch typed={values['chineseName'] ?? ''} paper={name!.value} onName={() => set({ chineseName: name!.value }, 'chineseName')} onPaper={onBack} />
        </Suspense>
      ) : null}
      <CheckRows flow={flow} form={form} wrong={pressed ? wrong : []} needsEmail={needsEmail} onFocus={setFocused} label={label} />
    </StepFrame>
  )
}

/** Fetches the Latin name once a Chinese name is present and the Latin one is empty. */
function usePinyin({ values, set }: PapersForm): void {
  const { chineseName = '', lastName = '', firstName = '' } = values
  const wanted = chineseName !== '' && lastName === '' && firstName === ''
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    flowApi.pinyin({ chineseName }, { signal: stop.signal }).then(
      (made) => set(made),
      () => undefined,
    )
    return () => stop.abort()
  }, [wanted, chineseName, set])
}

function buildPayload({ values, confirmed }: PapersForm, flow: OpeningStepProps['flow']): Parameters<typeof flowApi.accountCreate>[0] {
  const at = (name: string) => values[name] ?? ''
  const paper = parsePaper(values)
  const files = Object.fromEntries(flow.needed[paper].flatMap((side) => (flow.files[side] ? [[side, flow.files[side].filePath]] : [])))
  return {
    paper,
    chineseName: at('chineseName'),
    lastName: at('lastName'),
    firstName: at('firstName'),
    number: at('number'),
    birthDate: at('birthDate'),
    validUntil: at('validUntil'),
    ...(/^\d{4}-\d\d-\d\d$/.test(at('validFrom')) ? { validFrom: at('validFrom') } : {}),
    issuer: at('issuer'),
    province: at('province'),
    city: at('city'),
    street: at('address'),
    postalCode: at('postalCode'),
    email: at('email'),
    files,
    confirmed: [...confirmed],
  }
}
