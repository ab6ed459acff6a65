import { Type } from 'typebox';
import { closed, Id, LocaleTag, nullable, partial } from '../../kit/http/schemas/shapes.ts';
import { drawnImageUrls } from '../../passes/images/image.schema.ts';
import { optionalDesign } from '../../passes/pass.schema.ts';
import { ShownProgram } from '../../passes/programs/program.schema.ts';

const drawnImages = partial(drawnImageUrls).properties;

/** A design as it would be sent to create a pass, or to change the one of `passId`. */
export const DesignedPass = closed(
  {
    ...optionalDesign,
    ...drawnImages,
    passId: Type.Optional({
      ...Id,
      description: 'the pass that the design would change; without it, that of a new pass is drawn',
    }),
    reader: Type.Optional({
      ...LocaleTag,
      description: 'the language of the person who reads the card; without it, that of the design',
    }),
    program: Type.Optional({
      ...ShownProgram,
      description:
        'a program to draw in the place of that of the pass, on a card that is on its way to the reward',
    }),
  },
  { $id: 'DesignedPass' },
);

export const DesignWarning = closed({
  code: Type.String(),
  param: Type.String({ description: 'the property that it is about, such as `colors.label`' }),
  message: Type.String(),
  label: Type.Optional(Type.String({ description: 'of `text_cut`: what the card calls the text' })),
  missing: Type.Optional(
    Type.Array(Type.String(), { description: 'of `translation_incomplete`: the texts that it lacks' }),
  ),
});

export const DesignPreview = closed(
  {
    apple: Type.String({ description: 'an SVG document' }),
    google: Type.String({ description: 'an SVG document' }),
    web: closed(
      { html: Type.String(), css: Type.String() },
      { description: 'the front of the web card, and the style sheet that it is shown with' },
    ),
    change: nullable(
      closed({
        cards: Type.Integer({ description: 'how many cards would change' }),
        credits: Type.Integer({ description: 'what the pushes to those that are installed would cost' }),
      }),
    ),
    warnings: Type.Array(DesignWarning),
  },
  { $id: 'DesignPreview' },
);
