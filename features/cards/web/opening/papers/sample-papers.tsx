import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { openingTexts } from '../texts.ts'
import type { IdentityPicture } from '#features/identity/contract-words.ts'
import type { PapersForm } from './use-papers.ts'

/** In a demo: uploads the documents of a made-up person and fills in the name, so that opening can be tried to its end. */
export function SamplePapers({ sides, form }: { readonly sides: readonly IdentityPicture[]; readonly form: PapersForm }) {
  const t = useTexts(openingTexts)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const use = async () => {
    setBusy(true)
    setFailed(false)
    // another person each time: one identity belongs to one account
    const person = crypto.getRandomValues(new Uint16Array(1))[0]!
    try {
      const papers = await Promise.all(sides.map((side) => sample(person, side)))
      form.set({ chineseName: papers[0]!.name }, 'chineseName')
      papers.forEach(({ file }, at) => form.choose(sides[at]!, file))
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <Button variant="secondary" size="sm" loading={busy} onClick={() => void use()}>
        {t('samples_use')}
      </Button>
      <p className="mt-1.5 text-13 text-fg-3" role={failed ? 'alert' : undefined}>
        {t(failed ? 'samples_failed' : 'samples_about')}
      </p>
    </div>
  )
}

async function sample(person: number, side: IdentityPicture): Promise<{ readonly file: File; readonly name: string }> {
  const reply = await fetch(`/sandbox/papers/${person}/${side}`)
  if (!reply.ok) throw new Error(`no sample: ${reply.status}`)
  const file = new File([await reply.blob()], `${side}.jpg`, { type: 'image/jpeg' })
  return { file, name: decodeURIComponent(reply.headers.get('x-sample-name') ?? '') }
}
