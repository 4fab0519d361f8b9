import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/fields/field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { ANNOUNCEMENT_KINDS, ANNOUNCEMENT_PLACES } from '#features/site/contract-announcements.console.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { formatBeijingField, parseBeijingField } from '../kit/beijing.ts'
import type { Announcement } from './api.ts'
import { AnnouncementPreviews } from './announcement-previews.tsx'
import { announcementTexts } from './texts.ts'

const DAY_MS = 86_400_000
const MAX_DURATION_MS = 92 * DAY_MS
const LINK = /^(?:|\/(?:[^/\\].*)?|https:\/\/[^\s/@]+(?:\/\S*)?)$/

type AnnouncementFields = Pick<Announcement, 'kind' | 'place' | 'titleZh' | 'titleEn' | 'textZh' | 'textEn' | 'href'> & {
  readonly from: string
  readonly until: string
}

export function NewAnnouncement({ onClose }: { readonly onClose: () => void }) {
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

export function ChangeAnnouncementForm({ row, onClose }: { readonly row: Announcement; readonly onClose: () => void }) {
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

/** Both languages side by side, and what customers will see above them. */
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
        <TextField fieldClassName="col-span-2 mobile:col-span-1" label={t('titleZh')} maxLength={80} lang="zh-CN" {...typed('titleZh')} />
        <TextField fieldClassName="col-span-2 mobile:col-span-1" label={t('titleEn')} maxLength={80} lang="en" {...typed('titleEn')} />
        {(['textZh', 'textEn'] as const).map((name) => (
          <Field key={name} id={name} label={t(name)} error={areTextsGood || words[name].trim() ? undefined : t('both')}>
            <textarea id={name} rows={4} maxLength={300} lang={name === 'textZh' ? 'zh-CN' : 'en'} className="input" {...typed(name)} />
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
