-- A pass may have more than ten places: the first ten stay in passes.locations, where the version before reads them, and a card of a partner shows those
-- nearest to it.

alter table passes add column more_locations int not null default 0;
create table pass_places (
  workspace_id uuid not null,
  pass_id uuid not null,
  locations jsonb not null,
  texts jsonb not null,
  primary key (pass_id, workspace_id),
  foreign key (pass_id, workspace_id) references passes (pass_id, workspace_id) on delete cascade
);
alter table partners add column location jsonb;

comment on table pass_places is
  'All places of a pass that has more than ten. Apart from passes, since most of what reads a pass needs none of them.';
comment on column pass_places.locations is 'as passes.locations, with the first ten';
comment on column pass_places.texts is 'by BCP 47 language: the locations of passes.translations in full';
comment on column passes.locations is '[{ latitude, longitude, relevantText }]: the first ten';
comment on column passes.more_locations is 'how many places it has besides the ten of locations; pass_places has them';
comment on column partners.location is
  'where it is: { latitude, longitude }; null: unknown. Cards issued at it show the places nearest to it';
