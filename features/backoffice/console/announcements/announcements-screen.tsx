import { Plus } from 'lucide-react'
import { useLang, useTexts, getLangAttributes } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { useAddress } from '../kit/address.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission } from '../kit/use-me.ts'
import { announcementTexts } from './texts.ts'
import { ANNOUNCEMENTS_STATE_TEXT } from './state-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { FactRows } from '../kit/marks.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { Field } from '#ui/fields/field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { ANNOUNCEMENT_KINDS, ANNOUNCEMENT_PLACES, announcementsContract } from '#features/site/contract-announcements.console.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { formatBeijingField, parseBeijingField } from '../kit/beijing.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { createConsoleApi } from '../kit/api.ts'
import { AnnouncementBar } from '#ui/announcement-bar.tsx'
import { LANGS, LANGUAGES, readsHan } from '#platform/shared/languages.ts'

interface AnnouncementPreviewsProps {
  readonly kind: 'news' | 'warning'
  readonly titleZh: string
  readonly titleEn: string
  readonly textZh: string
  readonly textEn: string
  readonly href: string
}

/** Preview of the bar in each language, as customers see it. */
function AnnouncementPreviews({ kind, titleZh, titleEn, textZh, textEn, href }: AnnouncementPreviewsProps) {
  const t = useTexts(announcementTexts)
  return (
    <section aria-label={t('previewTitle')}>
      <h3 className="mb-1.5 text-13 font-semibold">{t('previewTitle')}</h3>
      <div className="grid grid-cols-1 gap-2" inert>
        {LANGS.map((lang) => {
          const [title, text] = readsHan(lang) ? [titleZh, textZh] : [titleEn, textEn]
          return { lang, title: title || '…', text, words: announcementTexts[lang] }
        }).map(({ lang, title, text, words }) => (
          <figure key={lang} {...getLangAttributes(lang)} className="rounded-control border border-line bg-surface px-3">
            <figcaption className="sr-only">{LANGUAGES[lang].name}</figcaption>
            <AnnouncementBar
              kind={kind}
              title={title}
              text={text}
              more={href ? <span className="link">{words.more}</span> : undefined}
              closeWord={words.close}
            />
          </figure>
        ))}
      </div>
    </section>
  )
}

const announcementsApi = createConsoleApi(announcementsContract)
type Announcement = ReplyOf<(typeof announcementsContract)['announcement']>
const ANNOUNCEMENT_TONES = { planned: 'info', shown: 'success', over: 'neutral', takenBack: 'warning' } as const

const DAY_MS = 86_400_000
const MAX_DURATION_MS = 92 * DAY_MS
const LINK = /^(?:|\/(?:[^/\\].*)?|https:\/\/[^\s/@]+(?:\/\S*)?)$/

type AnnouncementFields = Pick<Announcement, 'kind' | 'place' | 'titleZh' | 'titleEn' | 'textZh' | 'textEn' | 'href'> & {
  readonly from: string
  readonly until: string
}

function NewAnnouncement({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(announcementTexts)
  const [words, set] = useState<AnnouncementFields>(() => ({
    ...{ kind: 'news', place: 'everywhere', titleZh: '', titleEn: '', textZh: '', textEn: '', href: '' },
    ...{ from: formatBeijingField(Date.now()), until: formatBeijingField(Date.now() + 7 * DAY_MS) },
  }))
  return (
    <AnnouncementForm
      title={t('new')}
      word={t('next')}
      words={words}
      set={set}
      onClose={onClose}
      send={(input) => openCommand({ name: 'announcement.plan', input, about: words.titleZh, onDone: onClose })}
    />
  )
}

function ChangeAnnouncementForm({ row, onClose }: { readonly row: Announcement; readonly onClose: () => void }) {
  const t = useTexts(announcementTexts)
  const [words, set] = useState<AnnouncementFields>(() => ({
    ...{ kind: row.kind, place: row.place, titleZh: row.titleZh, titleEn: row.titleEn, textZh: row.textZh, textEn: row.textEn, href: row.href },
    ...{ from: formatBeijingField(Date.parse(row.from)), until: formatBeijingField(Date.parse(row.until)) },
  }))
  return (
    <AnnouncementForm
      title={row.titleZh}
      word={t('saveEdit')}
      words={words}
      set={set}
      onClose={onClose}
      send={(input) => openCommand({ name: 'announcement.change', input: { announcement: row.id, ...input }, about: row.titleZh, onDone: onClose })}
    />
  )
}

interface AnnouncementFormProps {
  readonly title: string
  readonly word: string
  readonly words: AnnouncementFields
  readonly set: (next: (old: AnnouncementFields) => AnnouncementFields) => void
  readonly onClose: () => void
  readonly send: (input: Readonly<Record<string, unknown>>) => void
}

/** Form with both languages side by side, and a preview above them. */
function AnnouncementForm({ title, word, words, set, onClose, send }: AnnouncementFormProps) {
  const t = useTexts(announcementTexts)
  const say = useConsoleFormatter()
  const put = (patch: Partial<AnnouncementFields>) => set((old) => ({ ...old, ...patch }))
  const typed = (name: keyof AnnouncementFields) => ({
    value: words[name],
    onChange: (event: { target: { value: string } }) => put({ [name]: event.target.value }),
    autoComplete: 'off',
  })
  const [from, until] = [parseBeijingField(words.from), parseBeijingField(words.until)]
  const length = from && until ? Date.parse(until) - Date.parse(from) : 0
  const areTimesGood = length > 0 && length <= MAX_DURATION_MS && Date.parse(until!) > Date.now()
  const isLinkGood = LINK.test(words.href.trim())
  const areTextsGood = (words.textZh.trim() === '') === (words.textEn.trim() === '')
  const isWhole = words.titleZh.trim() !== '' && words.titleEn.trim() !== '' && areTimesGood && isLinkGood && areTextsGood
  return (
    <SideSheet
      title={title}
      onClose={onClose}
      foot={
        <Button disabled={!isWhole} onClick={() => send({ ...words, href: words.href.trim(), from, until })}>
          {word}
        </Button>
      }
    >
      <div className="grid grid-cols-2 gap-3 mobile:grid-cols-1">
        <div className="col-span-2 mobile:col-span-1">
          <AnnouncementPreviews {...words} />
        </div>
        <TextField fieldClassName="col-span-2 mobile:col-span-1" label={t('titleZh')} maxLength={80} {...getLangAttributes('zh')} {...typed('titleZh')} />
        <TextField fieldClassName="col-span-2 mobile:col-span-1" label={t('titleEn')} maxLength={80} {...getLangAttributes('en')} {...typed('titleEn')} />
        {(['textZh', 'textEn'] as const).map((name) => (
          <Field key={name} id={name} label={t(name)} error={areTextsGood || words[name].trim() ? undefined : t('both')}>
            <textarea id={name} rows={4} maxLength={300} {...getLangAttributes(name === 'textZh' ? 'zh' : 'en')} className="input" {...typed(name)} />
          </Field>
        ))}
        <PickField
          label={t('kind')}
          value={words.kind}
          onChange={(kind) => put({ kind })}
          options={ANNOUNCEMENT_KINDS.map((value) => ({ value, label: say.value(value) }))}
        />
        <PickField
          label={t('place')}
          value={words.place}
          onChange={(place) => put({ place })}
          options={ANNOUNCEMENT_PLACES.map((value) => ({ value, label: say.value(value) }))}
        />
        <TextField label={t('from')} type="datetime-local" {...typed('from')} />
        <TextField label={t('until')} type="datetime-local" hint={t('untilHint')} error={areTimesGood ? undefined : t('timesBad')} {...typed('until')} />
        <TextField
          fieldClassName="col-span-2 mobile:col-span-1"
          label={t('link')}
          maxLength={300}
          hint={t('linkHint')}
          error={isLinkGood ? undefined : t('linkBad')}
          {...typed('href')}
        />
      </div>
    </SideSheet>
  )
}

/** One announcement as customers see it, with its commands. */
function AnnouncementSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(announcementTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [isChanging, setChanging] = useState(false)
  const read = useQuery({ queryKey: ['announcements', id], queryFn: ({ signal }) => announcementsApi.announcement({ id }, { signal }) })
  const row = read.data
  if (!row)
    return (
      <SideSheet title={t('title')} onClose={onClose}>
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={6} />}
      </SideSheet>
    )
  if (isChanging) return <ChangeAnnouncementForm row={row} onClose={() => setChanging(false)} />
  const isKept = row.state === 'planned' || row.state === 'shown'
  return (
    <SideSheet
      title={row.titleZh}
      tags={<Badge tone={ANNOUNCEMENT_TONES[row.state]}>{t(ANNOUNCEMENTS_STATE_TEXT[row.state])}</Badge>}
      about={row.titleEn}
      onClose={onClose}
      foot={
        isKept ? (
          <>
            <CommandButton name="announcement.end" input={{ announcement: id }} about={row.titleZh} />
            {may('announcements.make') ? <Button onClick={() => setChanging(true)}>{t('edit')}</Button> : null}
          </>
        ) : row.state === 'takenBack' ? (
          <CommandButton name="announcement.resume" input={{ announcement: id }} about={row.titleZh} />
        ) : null
      }
    >
      <AnnouncementPreviews {...row} />
      <div className="mt-4">
        <FactRows
          rows={[
            [t('kind'), say.value(row.kind)],
            [t('place'), say.value(row.place)],
            [t('from'), <Time key="from" at={row.from} />],
            [t('until'), <Time key="until" at={row.until} />],
            ...(row.href
              ? [
                  [
                    t('more'),
                    <span key="link" className="num [overflow-wrap:anywhere] whitespace-normal">
                      {row.href}
                    </span>,
                  ] as const,
                ]
              : []),
            [t('by', { name: nameOf(row.madeBy) }), <Time key="made" at={row.madeAt} />],
            ...(row.endedAt ? [[t('endedBy', { name: nameOf(row.endedBy ?? '') }), <Time key="ended" at={row.endedAt} />] as const] : []),
          ]}
        />
      </div>
    </SideSheet>
  )
}

const NEW = 'new'

/** Announcements at the top of customers' pages: current, planned and past. */
export function AnnouncementsScreen() {
  const t = useTexts(announcementTexts)
  const lang = useLang()
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [params, go] = useAddress()
  return (
    <ListScreen<Announcement>
      name="announcements"
      title={t('title')}
      about={t('about')}
      actions={
        may('announcements.make') ? (
          <Button onClick={() => go({ open: NEW })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('new')}
          </Button>
        ) : null
      }
      load={({ after, limit, view }, signal) =>
        announcementsApi.announcements({ limit, view: view === 'over' ? 'over' : 'kept', ...(after === undefined ? {} : { after }) }, { signal })
      }
      file="/operator/announcements"
      rowKey={({ id }) => id}
      views={[
        { id: 'kept', label: t('kept'), set: { view: undefined } },
        { id: 'over', label: t('over'), set: { view: 'over' } },
      ]}
      columns={[
        {
          key: 'title',
          header: t('colTitle'),
          mobile: 'title',
          cell: (row) => <strong className="block max-w-[44ch] truncate font-semibold">{readsHan(lang) ? row.titleZh : row.titleEn}</strong>,
          csv: (row) => `${row.titleZh} / ${row.titleEn}`,
        },
        {
          key: 'state',
          header: t('colState'),
          mobile: 'primary',
          cell: (row) => <Badge tone={ANNOUNCEMENT_TONES[row.state]}>{t(ANNOUNCEMENTS_STATE_TEXT[row.state])}</Badge>,
          csv: (row) => row.state,
        },
        { key: 'place', aside: true, header: t('colPlace'), cell: (row) => say.value(row.place), csv: (row) => row.place },
        { key: 'from', aside: true, header: t('colFrom'), cell: (row) => <Time at={row.from} />, csv: (row) => row.from },
        { key: 'until', header: t('colUntil'), cell: (row) => <Time at={row.until} />, csv: (row) => row.until },
        { key: 'by', aside: true, header: t('colBy'), cell: (row) => nameOf(row.madeBy), csv: (row) => row.madeBy },
      ]}
      empty={params['view'] === 'over' ? { title: t('emptyOver') } : { title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={30_000}
      sheet={({ id, close }) => (id === NEW ? <NewAnnouncement onClose={close} /> : <AnnouncementSheet key={id} id={id} onClose={close} />)}
    />
  )
}
