-- Designs in several languages.

alter table passes
  add column language text,
  add column translations jsonb not null default '{}';
comment on column passes.language is 'BCP 47: that of its own texts; null: that of its workspace';
comment on column passes.translations is
  'by BCP 47 language: the texts of the design and of its program in it, each of which may be absent';
