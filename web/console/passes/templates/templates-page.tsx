import type { NewPass } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { invalidate } from '../../../shared/cached.ts';
import { useAction, useLoad } from '../../../shared/data.ts';
import { SelectField, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { language } from '../../../shared/language.ts';
import { PageHeader } from '../../../shared/page-header.tsx';
import { navigate, query } from '../../../shared/router.ts';
import { passes } from '../../../texts/passes.ts';
import { templateTexts } from '../../../texts/templates.ts';
import { api } from '../../api.ts';
import { LoadedPicture } from '../loaded-picture.tsx';
import { drawTemplate, passOfTemplate } from './draw-template.ts';
import { type Template, templates, wordsOf } from './templates.ts';

type PassType = NewPass['type'];

/** What a new pass can begin with: templates of each type as their cards, and an empty one. */
export function TemplatesPage() {
  const t = templateTexts();
  const { types } = passes();
  const wanted = query.value.get('type');
  const shown = templates.filter(({ type }) => wanted === null || wanted === type);
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} back={{ href: '/console/passes', label: passes().title }}>
        <nav class="tabs" aria-label={t.filter}>
          {[[null, t.all] as const, ...Object.entries(types)].map(([type, label]) => (
            <a
              key={type}
              href={type === null ? '/console/passes/new' : `/console/passes/new?type=${type}`}
              aria-current={type === wanted ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      </PageHeader>
      <div class="stack">
        <ul class="gallery">
          {shown.map((template) => (
            <TemplateCard key={`${template.id} ${language.value}`} template={template} />
          ))}
        </ul>
        <BlankCard />
      </div>
    </>
  );
}

function openDesigner({ passId }: { readonly passId: string }): void {
  invalidate(['passes', 'names']);
  navigate(`/console/passes/${passId}/design`);
}

function TemplateCard({ template }: { readonly template: Template }) {
  const t = templateTexts();
  const { name, about } = wordsOf(template);
  const drawing = useLoad(() => drawTemplate(template));
  const use = useAction(() => passOfTemplate(template), openDesigner);
  return (
    <li class="pass-card panel flush">
      <div class="stage">
        <LoadedPicture of={drawing} alt={t.pictureOf(name)} />
      </div>
      <div class="about">
        <h2>{name}</h2>
        <p class="soft">{about}</p>
        <p class="soft small">{passes().types[template.type]}</p>
      </div>
      <div class="foot-line">
        <Button kind="quiet" isBusy={use.isBusy} onClick={() => use.run()}>
          {t.use} <span class="unseen">{name}</span>
        </Button>
      </div>
    </li>
  );
}

function BlankCard() {
  const t = templateTexts();
  return (
    <section class="panel">
      <header>
        <h2>{t.blank}</h2>
      </header>
      <Form
        submit={t.create}
        act={(filled) =>
          api.passes.create({ title: filled.text('title'), type: filled.text('type') as PassType })
        }
        done={openDesigner}
      >
        <p class="soft">{t.blankText}</p>
        <TextField name="title" label={t.name} required maxLength={120} />
        <SelectField name="type" label={t.type} options={passes().types} value="loyalty" />
      </Form>
    </section>
  );
}
